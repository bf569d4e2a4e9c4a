/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Monitor, scheme `paper`: where everything of the program in user mode ends up that needs machine mode. Interrupts are never enabled in machine mode, so nothing here is interrupted. gp and tp are the program's
 * and are not touched: the linker must not make accesses relative to gp of ours (-mno-relax).
 */
#include <trapeze/clint.h>
#include <trapeze/map.h>
#include <trapeze/monitor.h>

#include "masked.h"
#include "state.h"

#define MSIP (TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MSIP_OFFSET)

/* ---------------------------------------------------------------- everything that traps */
	.globl	monitor_is_paper
	.set	monitor_is_paper, 1

	.section .text.monitor_trap, "ax", @progbits
	.balign	64
	.globl	monitor_trap
	.type	monitor_trap, @function
monitor_trap:
	csrrw	sp, CSR_MSCRATCH, sp
	sw	t1, STATE_T1(sp)
	csrr	t1, CSR_MCAUSE
	bltz	t1, interrupt
	andi	t1, t1, 0x7ff
	addi	t1, t1, -MCAUSE_ECALL_U
	bnez	t1, exception

/* A call: t0 is its number, and with t1 and t2 the caller's to give. */
	csrr	t1, CSR_MEPC
	addi	t1, t1, 4
	csrw	CSR_MEPC, t1
	bnez	t0, 1f

	lw	a0, STATE_ENABLED(sp)		/* MONITOR_IRQ_DISABLE */
	sw	zero, STATE_ENABLED(sp)
	csrrw	sp, CSR_MSCRATCH, sp
	mret

1:	addi	t0, t0, -MONITOR_IRQ_RESTORE
	bnez	t0, 2f
	snez	t1, a0
	sw	t1, STATE_ENABLED(sp)
	beqz	a0, 3f
	j	restore_enabled
3:	csrrw	sp, CSR_MSCRATCH, sp
	mret

2:	addi	t0, t0, MONITOR_IRQ_RESTORE - MONITOR_YIELD
	beqz	t0, yield
	addi	t0, t0, MONITOR_YIELD - MONITOR_IRQ_IS_ENABLED
	bnez	t0, unknown_call
	lw	a0, STATE_ENABLED(sp)		/* MONITOR_IRQ_IS_ENABLED */
	csrrw	sp, CSR_MSCRATCH, sp
	mret

restore_enabled:
	unmask_all
	csrrw	sp, CSR_MSCRATCH, sp
	mret

/* With interrupts disabled, what the interrupt would do is done at once: its source is masked. */
yield:
	lui	t0, %hi(MSIP)
	li	t1, TRAPEZE_CLINT_MSIP_MSIP_MASK
	sw	t1, %lo(MSIP)(t0)
	lw	t1, STATE_ENABLED(sp)
	bnez	t1, 1f
	lui	t0, %hi(CLIC_IE + 4 * IRQ_SOFTWARE)
	sb	zero, %lo(CLIC_IE + 4 * IRQ_SOFTWARE)(t0)
	addi	t0, sp, STATE_NEXT + 4 * IRQ_SOFTWARE
	note	t0, t1
	csrrw	sp, CSR_MSCRATCH, sp
	mret
1:	lw	t1, %lo(MSIP)(t0)		/* the read orders the write before the return */
	csrrw	sp, CSR_MSCRATCH, sp
	mret

/* ---------------------------------------------------------------- interrupts
 * The source is masked in any case: one that is level-triggered would interrupt the handler at once. So is what comes with
 * interrupts disabled, and stays pending. What goes to the handler is not pending any more, which counts for edges only.
 */
interrupt:
	sw	t0, STATE_T0(sp)
	sw	t2, STATE_T2(sp)
	slli	t0, t1, 20			/* mcause */
	srli	t0, t0, 18			/* 4 * source */
	lui	t2, %hi(CLIC_IE)
	add	t2, t2, t0
	sb	zero, %lo(CLIC_IE)(t2)
	add	t0, t0, sp
	addi	t0, t0, STATE_NEXT
	note	t0, t1
	lw	t1, STATE_ENABLED(sp)
	beqz	t1, 1f
	sb	zero, %lo(CLIC_IP)(t2)
	sw	zero, STATE_ENABLED(sp)
	lui	t0, %hi(monitor_page)
	addi	t0, t0, %lo(monitor_page)
	csrr	t1, CSR_MCAUSE
	csrr	t2, CSR_MEPC
	sw	t1, MONITOR_PAGE_MCAUSE(t0)
	sw	t2, MONITOR_PAGE_MEPC(t0)
	lw	t1, MONITOR_PAGE_HANDLER(t0)
	csrw	CSR_MEPC, t1
1:	lw	t0, STATE_T0(sp)
	lw	t1, STATE_T1(sp)
	lw	t2, STATE_T2(sp)
	csrrw	sp, CSR_MSCRATCH, sp
	mret

/* ---------------------------------------------------------------- exceptions; t1: the cause less that of ecall */
exception:
	addi	t1, t1, MCAUSE_ECALL_U - MCAUSE_ILLEGAL_INSTRUCTION
	bnez	t1, unknown
	sw	t0, STATE_T0(sp)
	csrr	t1, CSR_MTVAL
	li	t0, MONITOR_RETURN
	bne	t0, t1, unknown
	sw	t2, STATE_T2(sp)
	sw	a0, STATE_A0(sp)
	li	t1, 1
	lui	t0, %hi(monitor_page + MONITOR_PAGE_MEPC)
	lw	t0, %lo(monitor_page + MONITOR_PAGE_MEPC)(t0)
	sw	t1, STATE_ENABLED(sp)
	csrw	CSR_MEPC, t0
	unmask_all
	lw	t0, STATE_T0(sp)
	lw	t1, STATE_T1(sp)
	lw	t2, STATE_T2(sp)
	lw	a0, STATE_A0(sp)
	csrrw	sp, CSR_MSCRATCH, sp
	mret

unknown_call:
	addi	t1, t1, -4
	csrw	CSR_MEPC, t1
unknown:
	j	monitor_unknown
	.size	monitor_trap, . - monitor_trap
