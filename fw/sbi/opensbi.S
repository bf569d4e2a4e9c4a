/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Reset of an image with OpenSBI (the file SBI_OPENSBI) as the firmware instead of fw/sbi. OpenSBI expects hart,
 * device tree and what to start next in registers, as an earlier boot stage leaves them (its docs/firmware/fw_dynamic).
 * It runs at the address where it stands. That has to be a multiple of its size, because of its row of memory
 * protection.
 */
#define FW_DYNAMIC_MAGIC   0x4942534f
#define FW_DYNAMIC_VERSION 2
#define SUPERVISOR_MODE    1

#define SBI_OPENSBI_ROOM 0x80000

	.section .text.start, "ax", @progbits
	.globl	_start
_start:
	csrr	a0, mhartid
	la	a1, __device_tree
	la	a2, next
	la	t0, opensbi
	jr	t0

	.balign	8
next:
	.dword	FW_DYNAMIC_MAGIC
	.dword	FW_DYNAMIC_VERSION
	.dword	sbi_kernel
	.dword	SUPERVISOR_MODE
	.dword	0			/* options: none */
	.dword	0			/* hart that starts the others */
	.balign	SBI_OPENSBI_ROOM
opensbi:
	.incbin	SBI_OPENSBI
	.balign	SBI_OPENSBI_ROOM	/* room for its variables */
