/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Monitor, scheme `soft`: a word of the page says whether the program has interrupts enabled. The program writes it
 * without a call, and the monitor reads it when an interrupt comes. Interrupts are never enabled in machine mode, so
 * nothing here is interrupted. gp and tp are the program's, as in paper.S.
 *
 * The page is the program's memory: its words only decide where the program goes on in user mode, and which of the
 * program's sources are enabled.
 */
#include "masked.h"

	.macro	restore_and_return
	lw	t0, STATE_T0(sp)
	lw	t1, STATE_T1(sp)
	csrrw	sp, CSR_MSCRATCH, sp
	mret
	.endm

	.globl	monitor_is_soft
	.set	monitor_is_soft, 1

	.section .text.monitor_trap, "ax", @progbits
	.balign	64
	.globl	monitor_trap
	.type	monitor_trap, @function
monitor_trap:
	csrrw	sp, CSR_MSCRATCH, sp
	sw	t1, STATE_T1(sp)
	sw	t0, STATE_T0(sp)
	csrr	t1, CSR_MCAUSE
	lui	t0, %hi(monitor_page)
	bltz	t1, interrupt
	andi	t1, t1, 0x7ff
	addi	t1, t1, -MCAUSE_ECALL_U
	bnez	t1, unknown

/* The call. With interrupts disabled it ends an interrupt. With interrupts enabled the program has seen that an
 * interrupt was held back, and goes on behind the call. In both cases the interrupts that were held back come next. No
 * register changes.
 */
	lw	t1, %lo(monitor_page + MONITOR_PAGE_ENABLED)(t0)
	bnez	t1, behind
	li	t1, 1
	sw	t1, %lo(monitor_page + MONITOR_PAGE_ENABLED)(t0)
	lw	t1, %lo(monitor_page + MONITOR_PAGE_MEPC)(t0)
	csrw	CSR_MEPC, t1
	lw	t1, STATE_MASKED(sp)
	bne	t1, sp, unmask
	restore_and_return
behind:
	csrr	t1, CSR_MEPC
	addi	t1, t1, 4
	csrw	CSR_MEPC, t1
unmask:
	sw	zero, %lo(monitor_page + MONITOR_PAGE_KEPT)(t0)
	sw	t2, STATE_T2(sp)
	sw	a0, STATE_A0(sp)
	unmask_all
	lw	t2, STATE_T2(sp)
	lw	a0, STATE_A0(sp)
	restore_and_return

/* The source is masked in any case, because it would interrupt user mode again at once. If the handler gets the
 * interrupt, the handler enables the source again. If interrupts are disabled, the interrupt stays pending and its
 * source goes to the list.
 */
interrupt:
	sw	t2, STATE_T2(sp)
	slli	t1, t1, 20			/* mcause */
	srli	t1, t1, 18			/* 4 * source */
	lui	t2, %hi(CLIC_IE)
	add	t2, t2, t1
	sb	zero, %lo(CLIC_IE)(t2)
	lw	t0, %lo(monitor_page + MONITOR_PAGE_ENABLED)(t0)
	beqz	t0, keep
	sb	zero, %lo(CLIC_IP)(t2)
	lui	t0, %hi(monitor_page)
	csrr	t1, CSR_MCAUSE
	csrr	t2, CSR_MEPC
	sw	zero, %lo(monitor_page + MONITOR_PAGE_ENABLED)(t0)
	sw	t1, %lo(monitor_page + MONITOR_PAGE_MCAUSE)(t0)
	sw	t2, %lo(monitor_page + MONITOR_PAGE_MEPC)(t0)
	lw	t1, %lo(monitor_page + MONITOR_PAGE_HANDLER)(t0)
	lw	t2, STATE_T2(sp)
	csrw	CSR_MEPC, t1
	restore_and_return
keep:
	add	t1, t1, sp
	addi	t1, t1, STATE_NEXT
	note	t1, t0
	lui	t0, %hi(monitor_page)
	li	t1, 1
	sw	t1, %lo(monitor_page + MONITOR_PAGE_KEPT)(t0)
	lw	t2, STATE_T2(sp)
	restore_and_return

unknown:
	j	monitor_unknown
	.size	monitor_trap, . - monitor_trap
