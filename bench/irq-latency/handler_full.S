/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Handlers that may call C functions and may be preempted by lines of higher priority, after the CV32RT paper's
 * Figure 5(a): vectored entry, all caller-saved registers, mepc, mcause and mie on the stack, interrupts of lower
 * priority masked in mie, interrupts enabled again; then marker 1 and a C-callable function.
 *
 * One handler for each of the 16 platform lines, as the mask depends on the line. Written for a short prologue: 25
 * instructions with ilp32, 19 with ilp32e, none of them waiting for the one before.
 *  - The mask comes from memory with one load, which the linker makes gp-relative; building it takes two instructions.
 *  - csrrc masks and reads the old mie at once.
 *  - t0-t2 are stored first, so that they can carry the CSRs.
 *
 * The interrupted code runs in machine mode: mret of a preempting handler leaves the least privileged mode in
 * mstatus.MPP, so the epilogue sets MPP again.
 */
#include <trapeze/abi.h>
#include <trapeze/csr.h>
#include <trapeze/marker.h>

/* Frame: caller-saved registers in register order, then mepc, mcause, mie; the ABI aligns the stack to 16 bytes. */
#define FRAME_MEPC   (4 * TRAPEZE_CALLER_COUNT)
#define FRAME_MCAUSE (4 * TRAPEZE_CALLER_COUNT + 4)
#define FRAME_MIE    (4 * TRAPEZE_CALLER_COUNT + 8)
#define FRAME_SIZE   ((4 * TRAPEZE_CALLER_COUNT + 12 + 15) & ~15)

	.section .text.irq.latency, "ax", @progbits

	.macro	platform_handler line irq
	.balign	4
	.globl	__irq_vector_\irq
	.type	__irq_vector_\irq, @function
__irq_vector_\irq:
	addi	sp, sp, -FRAME_SIZE
	sw	t0, 4(sp)
	sw	t1, 8(sp)
	sw	t2, 12(sp)
	lw	t2, some_irq_mask + 4 * \line
	csrr	t0, CSR_MEPC
	csrr	t1, CSR_MCAUSE
	csrrc	t2, CSR_MIE, t2
	sw	ra, 0(sp)
	sw	a0, 16(sp)
	sw	a1, 20(sp)
	sw	a2, 24(sp)
	sw	a3, 28(sp)
	sw	a4, 32(sp)
	sw	a5, 36(sp)
#ifndef __riscv_32e
	sw	a6, 40(sp)
	sw	a7, 44(sp)
	sw	t3, 48(sp)
	sw	t4, 52(sp)
	sw	t5, 56(sp)
	sw	t6, 60(sp)
#endif
	sw	t0, FRAME_MEPC(sp)
	sw	t1, FRAME_MCAUSE(sp)
	sw	t2, FRAME_MIE(sp)
	csrsi	CSR_MSTATUS, MSTATUS_MIE
	TRAPEZE_MARKER(TRAPEZE_MARKER_HANDLER)
	li	a0, \line
	call	interrupt_service

	csrci	CSR_MSTATUS, MSTATUS_MIE
	lw	t0, FRAME_MEPC(sp)
	lw	t2, FRAME_MIE(sp)
	li	t1, MSTATUS_MPP_M | MSTATUS_MPIE
	csrw	CSR_MEPC, t0
	csrw	CSR_MIE, t2
	csrs	CSR_MSTATUS, t1
	lw	ra, 0(sp)
	lw	t0, 4(sp)
	lw	t1, 8(sp)
	lw	t2, 12(sp)
	lw	a0, 16(sp)
	lw	a1, 20(sp)
	lw	a2, 24(sp)
	lw	a3, 28(sp)
	lw	a4, 32(sp)
	lw	a5, 36(sp)
#ifndef __riscv_32e
	lw	a6, 40(sp)
	lw	a7, 44(sp)
	lw	t3, 48(sp)
	lw	t4, 52(sp)
	lw	t5, 56(sp)
	lw	t6, 60(sp)
#endif
	addi	sp, sp, FRAME_SIZE
	mret
	.size	__irq_vector_\irq, . - __irq_vector_\irq
	.endm

	.altmacro
	.set	line, 0
	.rept	16
	platform_handler %line, %(line + 16)
	.set	line, line + 1
	.endr
	.noaltmacro

/* For line n: the lines n and below, and the standard interrupts, which all have lower priority. */
	.section .sdata.some_irq_mask, "aw", @progbits
	.balign	4
some_irq_mask:
	.set	line, 0
	.rept	16
	.word	(2 << (16 + line)) - 1
	.set	line, line + 1
	.endr
	.size	some_irq_mask, . - some_irq_mask
