/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * FreeRTOS port with protected tasks: the one entry of interrupts and exceptions, which is the switch as well.
 *
 * mscratch: while a task runs, its context; in port_trap(), on main's stack, a context for exceptions in there; while an
 * exception of machine mode is being handled, on its own stack, 0.
 */
#include <FreeRTOSConfig.h>

#include <trapeze/csr.h>

#include "port_context.h"

	.macro integers op
	.irp	r, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\op	x\r, (TRAPEZE_REG * \r)(sp)
	.endr
	.endm

#ifdef __riscv_flen
	.macro floats op
	.irp	r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\op	f\r, (PORT_F + 8 * \r)(sp)
	.endr
	.endm

	.macro floats_save
	floats	fsd
	frcsr	t0
	sd	t0, PORT_FCSR(sp)
	.endm
#else
	.macro floats_save
	.endm
#endif

	.section .text.irq.freertos, "ax", @progbits
	.balign	64			/* as the CLIC's mtvec wants */
	.globl	freertos_trap
	.type	freertos_trap, @function
freertos_trap:
	csrrw	sp, CSR_MSCRATCH, sp
	beqz	sp, __trap_again
#if configTRAPEZE_BORROW
	REG_S	t0, (TRAPEZE_REG * 5)(sp)
	REG_L	t0, PORT_QUICK(sp)
	bnez	t0, quick_exception
usual:	REG_L	t0, (TRAPEZE_REG * 5)(sp)
#endif
	integers REG_S
	csrrw	t0, CSR_MSCRATCH, zero
	REG_S	t0, (TRAPEZE_REG * 2)(sp)
	csrr	t0, CSR_MEPC
	csrr	s1, CSR_MCAUSE
	csrr	t2, CSR_MTVAL
	csrr	s2, CSR_MSTATUS
	REG_S	t0, TRAPEZE_FRAME_MEPC(sp)
	REG_S	s1, TRAPEZE_FRAME_MCAUSE(sp)
	REG_S	t2, TRAPEZE_FRAME_MTVAL(sp)
	REG_S	s2, TRAPEZE_FRAME_MSTATUS(sp)
	mv	s0, sp
	/* gp and tp may be user mode's. */
	.option	push
	.option	norelax
	la	gp, __global_pointer$
	.option	pop
	la	tp, __tls_base

#ifdef __riscv_flen
	/* The task's floating-point registers are in its context already unless it has written one since. */
	bgez	s2, 1f			/* mstatus.SD */
	floats_save
1:	li	t0, MSTATUS_FS_CLEAN
	li	t1, MSTATUS_FS_INITIAL
	csrs	CSR_MSTATUS, t0
	csrc	CSR_MSTATUS, t1
#endif

	la	t2, port_kernel_context
#if defined(configTRAPEZE_QUICK_IRQ) && !defined(TRAPEZE_IRQ_CLIC)
	bgez	s1, 4f
	slli	t1, s1, 1
	addi	t1, t1, -2 * configTRAPEZE_QUICK_IRQ
	beqz	t1, quick_interrupt
	j	2f
4:
#else
	bltz	s1, 2f			/* an interrupt */
#endif
	li	t0, MSTATUS_MPP
	and	t0, t0, s2
	beqz	t0, 2f			/* an exception of user mode */
	slli	t1, s1, __riscv_xlen - 12	/* MCAUSE_CODE: with a CLIC mcause holds more */
	srli	t1, t1, __riscv_xlen - 12
	li	t0, MCAUSE_ECALL_M
	bne	t1, t0, 3f
	beq	s0, t2, 3f		/* an ecall in a handler is no portYIELD() */

2:
usual_trap:
	csrw	CSR_MSCRATCH, t2
	la	sp, __stack_top
	mv	a0, s0
	call	port_trap
	j	freertos_resume

	/* Of machine mode: as without a kernel (trap.S). */
3:	floats_save
	la	sp, __exception_stack_top
	mv	a0, s0
	call	__trap_dispatch
	mv	a0, s0
	.size	freertos_trap, . - freertos_trap

#if configTRAPEZE_BORROW
/* A trap of a task in user mode whose function is one of the quick way. If it is the function's return, registers but its
 * result have no meaning any more.
 */
	.type	quick_exception, @function
quick_exception:
	REG_S	t1, (TRAPEZE_REG * 6)(sp)
	csrr	t0, CSR_MCAUSE
	bltz	t0, 1f
	slli	t0, t0, __riscv_xlen - 12
	srli	t0, t0, __riscv_xlen - 12
	addi	t0, t0, -MCAUSE_ECALL_U
	bnez	t0, 1f
	csrr	t0, CSR_MEPC
	REG_L	t1, (TRAPEZE_REG * 1)(sp)	/* ra in the beginning */
	bne	t0, t1, 1f
	mv	a2, a1
	mv	a1, a0
	mv	a0, sp
	.option	push
	.option	norelax
	la	gp, __global_pointer$
	.option	pop
	la	tp, __tls_base
	la	t0, port_kernel_context
	csrw	CSR_MSCRATCH, t0
	la	sp, __stack_top
	call	port_quick_end
	j	freertos_resume
1:	REG_L	t1, (TRAPEZE_REG * 6)(sp)
	j	usual
	.size	quick_exception, . - quick_exception
#endif

#ifdef configTRAPEZE_QUICK_IRQ
#ifdef TRAPEZE_IRQ_CLIC
/* The vectored entry of the interrupt of the quick way. The floating-point registers are nobody's: a core with them has no
 * CLIC.
 */
	.balign	4
	.globl	freertos_quick
	.type	freertos_quick, @function
freertos_quick:
	csrrw	sp, CSR_MSCRATCH, sp
	integers REG_S
	csrrw	t0, CSR_MSCRATCH, zero
	REG_S	t0, (TRAPEZE_REG * 2)(sp)
	csrr	t0, CSR_MEPC
	csrr	t1, CSR_MCAUSE
	csrr	t2, CSR_MSTATUS
	REG_S	t0, TRAPEZE_FRAME_MEPC(sp)
	REG_S	t1, TRAPEZE_FRAME_MCAUSE(sp)
	REG_S	t2, TRAPEZE_FRAME_MSTATUS(sp)
	mv	s0, sp
	.option	push
	.option	norelax
	la	gp, __global_pointer$
	.option	pop
	la	tp, __tls_base
	la	t2, port_kernel_context
	.size	freertos_quick, . - freertos_quick
#endif

/* The context s0 is saved, and t2 is for mscratch. */
	.type	quick_interrupt, @function
quick_interrupt:
	la	t0, port_idle
	REG_L	t0, 0(t0)
	bne	t0, s0, usual_trap	/* nobody's time can be borrowed */
	csrw	CSR_MSCRATCH, t2
	la	sp, __stack_top
	call	port_quick_interrupt
	bnez	a0, freertos_resume
	mv	a0, s0
	call	port_trap
	j	freertos_resume
	.size	quick_interrupt, . - quick_interrupt

#ifdef TRAPEZE_IRQ_CLIC
/* It replaces the weak symbol of the start-up code. */
	.altmacro
	.macro	quick_vector n
	.globl	__irq_vector_\n
	.set	__irq_vector_\n, freertos_quick
	.endm
	quick_vector %configTRAPEZE_QUICK_IRQ
	.noaltmacro
#endif
#endif

/* Goes on in the context a0; interrupts are disabled. */
	.globl	freertos_resume
	.type	freertos_resume, @function
freertos_resume:
	mv	sp, a0
#ifdef __riscv_flen
	floats	fld
	ld	t0, PORT_FCSR(sp)
	fscsr	t0
#endif
#ifdef TRAPEZE_IRQ_CLIC
	/* The level to go back to; what mcause mirrors of mstatus comes from mstatus. */
	REG_L	t1, TRAPEZE_FRAME_MCAUSE(sp)
	csrw	CSR_MCAUSE, t1
#endif
	REG_L	t0, TRAPEZE_FRAME_MSTATUS(sp)
#ifdef __riscv_flen
	li	t1, MSTATUS_FS
	li	t2, MSTATUS_FS_CLEAN
	or	t0, t0, t1
	xor	t1, t1, t2
	xor	t0, t0, t1
#endif
	REG_L	t1, TRAPEZE_FRAME_MEPC(sp)
	csrw	CSR_MSTATUS, t0
	csrw	CSR_MEPC, t1
	csrw	CSR_MSCRATCH, sp
	integers REG_L
	REG_L	sp, (TRAPEZE_REG * 2)(sp)
	mret
	.size	freertos_resume, . - freertos_resume
