/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The BIOS hands over to a program whose address is in its fourth argument.
 */
	.section .text, "ax", @progbits
	.globl	boot_helper
boot_helper:
	jr	a3
