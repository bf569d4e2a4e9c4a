/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Reset of an image with OpenSBI (the file SBI_OPENSBI) as the firmware instead of fw/sbi. OpenSBI expects hart and
 * device tree in registers, as an earlier boot stage leaves them. It runs at the address where it stands. That has to
 * be a multiple of its size, because of its row of memory protection.
 */
#define SBI_OPENSBI_ROOM 0x80000

	.section .text.start, "ax", @progbits
	.globl	_start
_start:
	csrr	a0, mhartid
	la	a1, __device_tree
	li	a2, 0
	la	t0, opensbi
	jr	t0
	.balign	SBI_OPENSBI_ROOM
opensbi:
	.incbin	SBI_OPENSBI
	.balign	SBI_OPENSBI_ROOM	/* room for its variables */
