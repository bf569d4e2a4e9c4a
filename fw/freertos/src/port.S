/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * FreeRTOS port: the switch, as an interrupt and as a function, and the entry of interrupts that irq_connect() serves.
 * port_scheme.h has the layout of a task that does not run, and what differs between the interrupt schemes.
 *
 * Masked, and with sp on the stack of a task, the code may be interrupted at any place by levels above the maximum, and
 * unmasked by all: an interrupt's frame goes below sp, so what is above stays as it is.
 */
#include <port_scheme.h>

/* Full-size instructions: targets of calls and jumps are aligned then, which saves a fetch. Therefore jal, not call:
 * the linker shortens a call to a near target to 16 bits, and the code behind it would lose its alignment.
 */
	.option	norvc

/* Loads or stores sp of the running task: the first word of its control block. */
	.macro load_task_sp
	lw	t0, pxCurrentTCB
	lw	sp, 0(t0)
	.endm

	.macro store_task_sp
	lw	t0, pxCurrentTCB
	sw	sp, 0(t0)
	.endm

	.macro function name
	.balign	4
	.globl	\name
	.type	\name, @function
\name:
	.endm

/* ---------------------------------------------------------------- the switch as an interrupt
 * The software interrupt, which has the lowest level: it comes when the last other one has ended, and at the end of a
 * critical section.
 */
	.section .text.irq.freertos, "ax", @progbits
	function __irq_vector_3
	PORT_UNWIND_BEGIN
	PORT_ENTER
switch_entered:
	addi	sp, sp, -PORT_CALLEE
	TRAPEZE_UNWIND_SP PORT_FRAME
	PORT_CALLEE_OF_INTERRUPTED sw
	PORT_UNWIND_CALLEE
	PORT_SWITCH_TAKEN
	PORT_INTERRUPT_MASK
	store_task_sp
	jal	vTaskSwitchContext
	load_task_sp
	PORT_FRAME_NEXT PORT_CALLEE
	lw	a0, PORT_MCAUSE(sp)
	PORT_INTERRUPT_UNMASK
	bgez	a0, resume_called

/* Resumes a task that an interrupt took; used inside of an interrupt, or outside of one with interrupts unmasked. */
resume_interrupted:
	PORT_CALLEE_OF_INTERRUPTED lw
	addi	sp, sp, PORT_CALLEE
	PORT_UNWIND_CALLEE_LOADED
	PORT_LEAVE
	PORT_UNWIND_END

/* Resumes a task that gave up the processor by a call: the caller-saved registers need not be restored. a0: the
 * frame's mcause. With fastirq emret resumes it, too, because only emret leaves an interrupt without an instruction between
 * at which another one can come.
 */
resume_called:
#if defined(TRAPEZE_MONITOR_CALLS)
	mv	t1, a0
	j	resume
#elif defined(TRAPEZE_IRQ_FAST)
	PORT_CALL_LEAVING
	PORT_CALLEE_OF_CALLED lw
	addi	sp, sp, PORT_CALL_FRAME - TRAPEZE_IRQ_FRAME
	PORT_LEAVE
#else
	lw	a1, PORT_MEPC(sp)
	PORT_CALLEE_OF_CALLED lw
	addi	sp, sp, PORT_CALL_FRAME
#ifdef TRAPEZE_IRQ_CLIC
	csrci	CSR_XSTATUS, XSTATUS_XIE
	csrw	CSR_XCAUSE, a0
#endif
	csrw	CSR_XEPC, a1
	TRAPEZE_XRET
#endif
	.size	__irq_vector_3, . - __irq_vector_3

#ifdef TRAPEZE_IRQ_FAST
/* The same on a core with whole frames, which has stored all registers and will load them. */
	function freertos_switch_whole
	PORT_UNWIND_BEGIN
	PORT_UNWIND_WHOLE_FRAME
	PORT_INTERRUPT_MASK
	store_task_sp
	jal	vTaskSwitchContext
	load_task_sp
	PORT_FRAME_NEXT 0
	PORT_INTERRUPT_UNMASK
	PORT_LEAVE
	PORT_UNWIND_END
	.size	freertos_switch_whole, . - freertos_switch_whole
#endif

/* ---------------------------------------------------------------- the switch as a function
 * A call leaves little to be saved. Inside of the kernel's own critical section, which is not counted, the switch is made
 * at once, and the section goes on behind it. Where anything else masks around that, an application's critical section
 * above all, it is the interrupt that has to switch, later.
 */
	.section .text.hot.freertos, "ax", @progbits
	function freertos_yield_bare
	PORT_MASK_OR request
	addi	sp, sp, -PORT_CALL_FRAME
	sw	s0, PORT_CALL_S0(sp)
	li	s1, PORT_CALLED_BARE
	PORT_CALL_STORE s1
	store_task_sp
	jal	vTaskSwitchContext
	load_task_sp
	lw	t1, PORT_MCAUSE(sp)
	bne	t1, s1, resume
	lw	ra, PORT_MEPC(sp)
	lw	s0, PORT_CALL_S0(sp)
	addi	sp, sp, PORT_CALL_FRAME
	PORT_UNMASK
	ret
	.size	freertos_yield_bare, . - freertos_yield_bare

	function freertos_yield
	PORT_MASK_OR masked
unmasked:
	addi	sp, sp, -PORT_CALL_FRAME
	PORT_CALLEE_OF_CALLED sw
	li	t1, PORT_CALLED
	PORT_CALL_STORE t1
	store_task_sp
	jal	vTaskSwitchContext
	load_task_sp
	lw	t1, PORT_MCAUSE(sp)
resume:
	bltz	t1, 1f
	lw	ra, PORT_MEPC(sp)
	PORT_CALLEE_OF_CALLED lw
	addi	sp, sp, PORT_CALL_FRAME
	PORT_UNMASK
	ret
1:
#ifdef TRAPEZE_IRQ_FAST
	lw	t0, freertos_whole_frames
	bnez	t0, 2f
#endif
	PORT_FRAME_NEXT PORT_CALLEE
	PORT_CALLEE_OF_INTERRUPTED lw
	addi	sp, sp, PORT_CALLEE
	PORT_LEAVE_UNMASKING
#ifdef TRAPEZE_IRQ_FAST
2:	PORT_LEAVE_UNMASKING TRAPEZE_IRQ_WHOLE_FRAME_MEPC, TRAPEZE_IRQ_WHOLE_FRAME
#endif

masked:
	lw	t1, freertos_critical_depth
	bnez	t1, request
	addi	sp, sp, -16
	sw	ra, 0(sp)
	jal	unmasked
	PORT_MASK t0
	lw	ra, 0(sp)
	addi	sp, sp, 16
	ret

request:
	PORT_MASK_AGAIN t0
	lui	t0, %hi(PORT_SWITCH)
	li	t1, 1
#ifdef TRAPEZE_IRQ_CLIC
	sb	t1, %lo(PORT_SWITCH)(t0)
#else
	sw	t1, %lo(PORT_SWITCH)(t0)
#endif
	ret
	.size	freertos_yield, . - freertos_yield

/* ---------------------------------------------------------------- the first task; masked, from main's stack */
	.section .text.freertos, "ax", @progbits
	function freertos_start
	load_task_sp
	sw	zero, freertos_critical_depth, t0
	sw	zero, freertos_interrupt_depth, t0
	PORT_INTERRUPT_UNMASK
#ifdef TRAPEZE_IRQ_FAST
	lw	t0, freertos_whole_frames
	beqz	t0, 1f
	PORT_LEAVE
1:
#endif
	j	resume_interrupted
	.size	freertos_start, . - freertos_start

/* ---------------------------------------------------------------- interrupts with handlers of irq_connect()
 * The first one on a task's stack goes over to the interrupt stack, which is what main() ran on. The depth is right in
 * every instruction: whoever comes in between leaves it as it was. Where a switch is wanted then, it takes over the
 * frame; emret does that by itself.
 */
	.section .text.irq.freertos, "ax", @progbits
	function freertos_interrupt
	PORT_UNWIND_BEGIN
	PORT_ENTER			/* a0: mcause; with fastirq nothing, and a0 is the interrupt's number */
#if defined(TRAPEZE_IRQ_FAST)
enter:
#elif defined(TRAPEZE_MONITOR_CALLS)
	PORT_IF_SWITCH_CAME switch_entered
#endif
	lw	t0, freertos_interrupt_depth
	addi	t1, t0, 1
	sw	t1, freertos_interrupt_depth, t2
	bnez	t0, 1f
	lui	t0, %hi(__stack_top - 16)
	addi	t0, t0, %lo(__stack_top - 16)
	sw	sp, 0(t0)
	mv	sp, t0
	PORT_UNWIND_OTHER_STACK
	jal	__irq_dispatch
	lw	sp, 0(sp)
	PORT_UNWIND_TASK_STACK
	sw	zero, freertos_interrupt_depth, t0
	PORT_IF_SWITCH switch_entered
	PORT_LEAVE
	TRAPEZE_UNWIND_ENTRY
	PORT_UNWIND_TASK_STACK
1:	call	__irq_dispatch
	lw	t0, freertos_interrupt_depth
	addi	t0, t0, -1
	sw	t0, freertos_interrupt_depth, t1
	PORT_LEAVE
	PORT_UNWIND_END
	.size	freertos_interrupt, . - freertos_interrupt

#ifdef TRAPEZE_IRQ_FAST
/* One entry for each interrupt, since mcause may no longer name it: the lower 12 bits of the number count. Each has
 * 8 bytes. */
	.balign	8
	.type	numbers, @function
numbers:
	.option	push
	.option	norvc
	.option	norelax
	.set	number, 0
	.rept	IRQ_COUNT
	li	a0, (number ^ 0x800) - 0x800
	j	enter
	.set	number, number + 1
	.endr
	.option	pop
	.size	numbers, . - numbers
#endif

#ifndef TRAPEZE_MONITOR_CALLS
/* These replace the weak symbols of the start-up code. They are weak, too, so that the application's replace them. */
	.altmacro
	.macro	vector n
	.ifne	\n - IRQ_SOFTWARE
	.weak	__irq_vector_\n
#ifdef TRAPEZE_IRQ_FAST
	.set	__irq_vector_\n, numbers + 8 * \n
	.size	__irq_vector_\n, 8
#else
	.set	__irq_vector_\n, freertos_interrupt
#endif
	.endif
	.endm
	.set	number, 0
	.rept	IRQ_COUNT
	vector	%number
	.set	number, number + 1
	.endr
	.noaltmacro
#endif
