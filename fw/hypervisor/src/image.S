/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * What the cell is loaded from: CELL_FILE, its memory from the beginning on. The hypervisor copies it by eight bytes.
 */
	.section .cell, "a", @progbits
	.balign	8
	.globl	cell_image, cell_image_end
cell_image:
	.incbin	CELL_FILE
	.balign	8
cell_image_end:
