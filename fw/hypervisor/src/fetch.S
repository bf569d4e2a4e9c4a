/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * long guest_fetch(uint64_t address): the instruction at a virtual address of the guest, zero-extended, read with its privilege
 * (MPRV) where it may execute (MXR); of four bytes it is read by halves. A trap of a load comes back here as -1: another
 * hart of the guest may have changed its page table meanwhile. mepc and mstatus are as before in both cases; mcause and
 * mtval are not.
 */
#include <trapeze/isa.h>

	.text
	.balign	4
	.globl	guest_fetch
	.type	guest_fetch, @function
guest_fetch:
	csrr	a1, CSR_MEPC
	csrr	a2, CSR_MSTATUS
	la	a3, .Lrefused
	csrrw	a3, CSR_MTVEC, a3
	li	a4, MSTATUS_MPRV | MSTATUS_MXR
	csrs	CSR_MSTATUS, a4
	mv	a5, a0
	lhu	a0, 0(a5)
	not	a4, a0
	andi	a4, a4, 3
	bnez	a4, 1f			/* of two bytes */
	lhu	a4, 2(a5)
	slli	a4, a4, 16
	or	a0, a0, a4
1:	csrw	CSR_MSTATUS, a2
	csrw	CSR_MTVEC, a3
	ret

	.balign	4
.Lrefused:
	csrw	CSR_MSTATUS, a2
	csrw	CSR_MEPC, a1
	csrw	CSR_MTVEC, a3
	li	a0, -1
	ret
	.size	guest_fetch, . - guest_fetch
