/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * An interrupted program (background.inc) that masks interrupts itself for some cycles, by mstatus.MIE and, with a
 * CLIC, by the threshold: around one instruction and around several, with loads, stores, divisions, fence.i and mret
 * inside, and with MIE off and on in alternate cycles. An edge that comes while interrupts are masked waits. Its
 * latency counts from the edge as usual, so it includes the wait for the program.
 */
#include "background.inc"

	.macro	off
	csrci	CSR_MSTATUS, MSTATUS_MIE
	.endm

	.macro	on
	csrsi	CSR_MSTATUS, MSTATUS_MIE
	.endm

	background_begin
.Lloop:
	off
	on
	off
	on
	mix	a1
	off
	addi	a1, a1, 3
	on
	off
	sw	a1, 0(s0)
	on
	off
	lw	t0, 0(s0)
	on
	mix	t0
	off
	sw	a1, 5(s0)
	on
	off
	lw	t0, 7(s0)
	on
	mix	t0
	off
	divu	t0, a1, t1
	on
	mix	t0
	off
	fence.i
	on
	csrrci	t0, CSR_MSTATUS, MSTATUS_MIE
	andi	t0, t0, MSTATUS_MIE
	csrrs	zero, CSR_MSTATUS, t0
	mix	t0

#ifdef TRAPEZE_IRQ_CLIC
	li	t2, 0xff
	csrw	CSR_MINTTHRESH, t2
	csrw	CSR_MINTTHRESH, zero
	csrw	CSR_MINTTHRESH, t2
	lw	t0, 0(s0)
	addi	t0, t0, 1
	csrrw	t2, CSR_MINTTHRESH, zero
	mix	t0
	mix	t2
#endif

	/* mret: mepc keeps the program's value only while interrupts are off. */
	off
	la	t0, 1f
	csrw	CSR_MEPC, t0
	li	t0, MSTATUS_MPP_M | MSTATUS_MPIE
	csrs	CSR_MSTATUS, t0
	mret
	ebreak
1:	mul	a1, a1, a5
	off
	la	t0, 2f
	csrw	CSR_MEPC, t0
	li	t0, MSTATUS_MPP_M | MSTATUS_MPIE
	csrs	CSR_MSTATUS, t0
	sw	a1, 0(s0)
	mret
	ebreak
2:	lw	t0, 0(s0)
	mix	t0
	li	t0, 0
	addi	t1, t1, 6
	addi	s1, s1, -1
	bnez	s1, .Lloop

	background_end 0x0a672cf3, 0x2cf30a68
	.size	background, . - background

	background_data
