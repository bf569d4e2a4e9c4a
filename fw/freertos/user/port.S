/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * FreeRTOS port, user mode under a monitor: the entry of all interrupts, which is the switch as well.
 * The monitor comes here with every register of the task as it was; interrupts are disabled until it returns, so nothing nests.
 */
#include <trapeze/clint.h>
#include <trapeze/map.h>
#include <trapeze/monitor.h>

#include "port_frame.h"

#define MSIP (TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MSIP_OFFSET)

	.macro registers op
	\op	x1, 0(sp)
	.set	PORT_OFFSET, 4
#ifdef __riscv_32e
	.irp	r, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#else
	.irp	r, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#endif
	\op	x\r, PORT_OFFSET(sp)
	.set	PORT_OFFSET, PORT_OFFSET + 4
	.endr
	.endm

	.option	norvc
	.section .text.irq.freertos, "ax", @progbits
	.balign	4
	.globl	freertos_interrupt
	.type	freertos_interrupt, @function
freertos_interrupt:
	addi	sp, sp, -PORT_FRAME
	registers sw
	lui	s0, %hi(monitor_page)
	addi	s0, s0, %lo(monitor_page)
	lw	a0, MONITOR_PAGE_MCAUSE(s0)
	lw	t1, MONITOR_PAGE_MEPC(s0)
	lui	s1, %hi(MSIP)
	sw	t1, PORT_MEPC(sp)
	andi	t0, a0, 0x7ff			/* the switch's number is small */
	addi	t0, t0, -IRQ_SOFTWARE
	beqz	t0, switch

	/* The handlers' stack is the one that main() had. */
	lui	t0, %hi(__stack_top - 16)
	addi	t0, t0, %lo(__stack_top - 16)
	sw	sp, 0(t0)
	mv	sp, t0
	jal	__irq_dispatch
	lw	sp, 0(sp)
	lw	t0, %lo(MSIP)(s1)
	beqz	t0, resume

switch:
	lw	t0, pxCurrentTCB		/* its first word is the task's sp */
	sw	zero, %lo(MSIP)(s1)
	sw	sp, 0(t0)
	jal	vTaskSwitchContext
	lw	t0, pxCurrentTCB
	lw	sp, 0(t0)
	lw	t1, PORT_MEPC(sp)
	sw	t1, MONITOR_PAGE_MEPC(s0)
resume:
	registers lw
	addi	sp, sp, PORT_FRAME
	TRAPEZE_MONITOR_RETURN
	.size	freertos_interrupt, . - freertos_interrupt

/* The first task; interrupts are disabled. */
	.globl	freertos_start
	.type	freertos_start, @function
freertos_start:
	lw	t0, pxCurrentTCB
	lw	sp, 0(t0)
	lui	s0, %hi(monitor_page)
	addi	s0, s0, %lo(monitor_page)
	lw	t1, PORT_MEPC(sp)
	sw	t1, MONITOR_PAGE_MEPC(s0)
	j	resume
	.size	freertos_start, . - freertos_start
