/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * An interrupted program (background.inc) that changes the state of the hart, with interrupts enabled throughout:
 * fence.i after every kind of instruction; divisions before and after instructions that redirect fetching; every CSR
 * that can be written without masking an interrupt; with a CLIC xnxti, jalxnxti and the exchanges of mscratch. The line
 * must be vectored, because xnxti and jalxnxti would claim it otherwise.
 */
#include "background.inc"

	background_begin
.Lloop:
	/* fence.i after a store, a load, a branch, a multiply, a divide, and itself. The code does not change. */
	sw	a1, 0(s0)
	fence.i
	lw	t0, 0(s0)
	fence.i
	mix	t0
	bne	a1, a2, 1f
	ebreak
1:	fence.i
	fence.i
	mul	a1, a1, a5
	fence.i
	divu	t0, a1, t1
	fence.i
	remu	t2, a1, t1
	mix	t0
	j	2f
	ebreak
2:	fence.i
	sw	a1, 5(s0)
	fence.i
	lw	t0, 3(s0)
	mix	t0
	fence

	/* mstatus: bits that are set already, bits of the previous mode; then divisions, loads and stores. */
	csrsi	CSR_MSTATUS, MSTATUS_MIE
	div	t0, a1, t1
	csrsi	CSR_MSTATUS, MSTATUS_MIE
	sw	t0, 8(s0)
	li	t0, MSTATUS_MPP
	csrc	CSR_MSTATUS, t0
	lw	t2, 8(s0)
	csrrsi	t0, CSR_MSTATUS, MSTATUS_MIE
	andi	t0, t0, MSTATUS_MIE
	mix	t0
	mix	t2

	/* CSRs that a trap writes, too. Their values are not used. */
	csrw	CSR_MEPC, a1
	csrw	CSR_MTVAL, a2
	csrr	t0, CSR_MCAUSE
	csrw	CSR_MCAUSE, t0
	bnez	a1, 3f
	ebreak
3:	csrw	CSR_MEPC, a2

	/* Settings of the hart, written with their own values. */
	csrr	t0, CSR_MTVEC
	csrw	CSR_MTVEC, t0
	csrr	t0, CSR_MIE
	csrw	CSR_MIE, t0
	csrrw	t0, CSR_MSCRATCH, a5
	csrrw	t2, CSR_MSCRATCH, t0
	mix	t2
	csrwi	CSR_MCOUNTINHIBIT, 5
	csrwi	CSR_MCOUNTINHIBIT, 0
	csrwi	CSR_MCOUNTEREN, 7
	rem	t0, a1, t1
	csrwi	CSR_MCOUNTEREN, 5
	csrr	t2, CSR_MCOUNTEREN
	mix	t0
	mix	t2

	/* CSRs that only some harts have do not enter the checksum. */
#ifdef TRAPEZE_IRQ_CLIC
	csrw	CSR_MINTTHRESH, zero
	csrw	CSR_MINTTHRESH, zero
	lw	t0, 0(s0)
	csrwi	CSR_MINTTHRESH, 0
	sw	t0, 0(s0)
	csrr	t0, CSR_MTVT
	csrw	CSR_MTVT, t0
	csrr	t0, CSR_MINTSTATUS
	bnez	t0, .Lwrong

	/* Nothing can be claimed: xnxti returns zero, and jalxnxti does not jump. */
	csrrsi	t0, CSR_MNXTI, 0
	bnez	t0, .Lwrong
	csrrsi	t0, CSR_MNXTI, MSTATUS_MIE
	li	t2, MSTATUS_MIE
	csrrs	t2, CSR_MNXTI, t2
	or	t0, t0, t2
	bnez	t0, .Lwrong
	mv	t0, a1
	csrrw	a1, CSR_JALMNXTI, a1
	csrrw	a1, CSR_JALMNXTI, a1
	bne	t0, a1, .Lwrong

	/* The previous mode is U, before and after an interrupt, so mscratchcsw exchanges. Both levels are 0, so
	 * mscratchcswl does not.
	 */
	csrrw	t2, CSR_MSCRATCHCSW, a4
	csrrw	t0, CSR_MSCRATCHCSW, t2
	bne	t0, a4, .Lwrong
	csrrw	t0, CSR_MSCRATCHCSWL, a5
	bne	t0, a5, .Lwrong
#endif
#ifdef TRAPEZE_IRQ_FAST
	csrr	t0, CSR_MFASTIRQ
	csrw	CSR_MFASTIRQ, t0
	csrsi	CSR_MFASTIRQ, MFASTIRQ_NEST
	div	t0, a5, t1
#endif
	li	t0, 0
	li	t2, 0
	addi	t1, t1, 6
	addi	s1, s1, -1
	bnez	s1, .Lloop

	background_end 0x7f8004ea, 0x04287f80
.Lwrong:
	ebreak
	.size	background, . - background

	background_data
