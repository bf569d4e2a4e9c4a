/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Reset where OpenSBI, the file SBI_OPENSBI, is the firmware instead of ours: it wants hart and device tree in registers, as an
 * earlier stage leaves them. It runs where it stands, which has to be a multiple of its size, for its row of protection.
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
	.balign	SBI_OPENSBI_ROOM	/* its variables */
