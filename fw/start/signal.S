/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Signals from hart to hart (trapeze/signal.h): the calls, the notification by the software interrupt, and the run of
 * the handler. mscratch holds the stack of exceptions while user mode runs, and the user's sp while machine mode runs.
 *
 * A frame on the user's stack is like that of a fastirq interrupt, but the word of mcause holds the mask to restore.
 *
 * Only for cores with the extensions A and Zbb and all registers.
 */
#include <trapeze/csr.h>
#include <trapeze/signal.h>

#if defined(__riscv_atomic) && defined(__riscv_zbb) && !defined(__riscv_32e)

#define FRAME_MASKED TRAPEZE_IRQ_FRAME_MCAUSE

/* Takes the highest pending vector of the thread at a2: a0 gets it, and it is no longer pending. Goes to `none` if none
 * is pending. Changes a1, t1 and t2.
 */
	.macro	TAKE none
	lw	t1, SIGNAL_PENDING + 4(a2)
	li	a0, 63
	addi	a1, a2, SIGNAL_PENDING + 4
	bnez	t1, 91f
	lw	t1, SIGNAL_PENDING(a2)
	li	a0, 31
	addi	a1, a2, SIGNAL_PENDING
	beqz	t1, \none
91:	clz	t2, t1
	sub	a0, a0, t2
	lui	t1, 0x80000
	srl	t1, t1, t2
	not	t1, t1
	amoand.w zero, t1, (a1)
	.endm

	.section .text.irq.signal, "ax", @progbits
	.balign	64
	.globl	__signal_entry
	.type	__signal_entry, @function
__signal_entry:
	csrrw	sp, CSR_MSCRATCH, sp
	beqz	sp, 8f
	sw	t0, -8(sp)
	csrr	t0, CSR_MCAUSE
	bltz	t0, 9f
	andi	t0, t0, 0x7ff
	addi	t0, t0, -MCAUSE_ECALL_U
	bnez	t0, 9f
	li	t0, SIGNAL_CALL_SEND
	sub	t0, a7, t0
	bnez	t0, 2f

	/* Send. It may use the caller-saved registers. */
	sltiu	t0, a0, SIGNAL_TARGETS
	beqz	t0, 1f
	lui	t1, %hi(__signal_self)
	lw	a2, %lo(__signal_self)(t1)
	slli	a0, a0, SIGNAL_TARGET_SHIFT
	add	a2, a2, a0
	lw	a1, SIGNAL_TABLE(a2)
	lw	t1, SIGNAL_TABLE + 4(a2)
	beqz	a1, 1f
	amoor.w	t1, t1, (a1)
	lw	a3, SIGNAL_TABLE + 8(a2)
	bnez	t1, 7f			/* an earlier sender has notified, and the receiver has not looked yet */
	li	t1, 1
	sw	t1, 0(a3)
7:	li	a0, 0
	j	6f
1:	li	a0, -1
6:	csrr	t0, CSR_MEPC
	addi	t0, t0, 4
	csrw	CSR_MEPC, t0
	csrrw	sp, CSR_MSCRATCH, sp
	mret

2:	addi	t0, t0, -1
	bnez	t0, 4f
	/* Return: run the next signal, or restore the frame. */
	lui	t0, %hi(__signal_self)
	lw	a2, %lo(__signal_self)(t0)
	csrrw	sp, CSR_MSCRATCH, sp
	lw	t0, FRAME_MASKED(sp)
	bnez	t0, 3f
	TAKE	3f
	lw	a1, SIGNAL_HANDLER(a2)
	la	t0, __signal_run
	csrw	CSR_MEPC, t0
	mret
3:	sw	t0, SIGNAL_MASKED(a2)
	lw	t0, TRAPEZE_IRQ_FRAME_MEPC(sp)
	csrw	CSR_MEPC, t0
	lw	ra, TRAPEZE_IRQ_FRAME_RA(sp)
	lw	t0, TRAPEZE_IRQ_FRAME_T0(sp)
	lw	t1, TRAPEZE_IRQ_FRAME_T1(sp)
	lw	t2, TRAPEZE_IRQ_FRAME_T2(sp)
	lw	a0, TRAPEZE_IRQ_FRAME_A0(sp)
	lw	a1, TRAPEZE_IRQ_FRAME_A1(sp)
	lw	a2, TRAPEZE_IRQ_FRAME_A2(sp)
	lw	a3, TRAPEZE_IRQ_FRAME_A3(sp)
	lw	a4, TRAPEZE_IRQ_FRAME_A4(sp)
	lw	a5, TRAPEZE_IRQ_FRAME_A5(sp)
	lw	a6, TRAPEZE_IRQ_FRAME_A6(sp)
	lw	a7, TRAPEZE_IRQ_FRAME_A7(sp)
	lw	t3, TRAPEZE_IRQ_FRAME_T3(sp)
	lw	t4, TRAPEZE_IRQ_FRAME_T4(sp)
	lw	t5, TRAPEZE_IRQ_FRAME_T5(sp)
	lw	t6, TRAPEZE_IRQ_FRAME_T6(sp)
	addi	sp, sp, TRAPEZE_IRQ_FRAME
	mret

4:	addi	t0, t0, -1
	bnez	t0, 5f
	/* Suspend: the software interrupt ends wfi, though machine mode does not take it. */
	lui	t0, %hi(__signal_self)
	lw	a2, %lo(__signal_self)(t0)
	lw	a3, SIGNAL_NOTIFY(a2)
	j	42f
41:	wfi
42:	sw	zero, 0(a3)
	lw	zero, 0(a3)		/* the interrupt is cleared before pending is read */
	TAKE	41b
	csrrw	sp, CSR_MSCRATCH, sp
	addi	sp, sp, -TRAPEZE_IRQ_FRAME
	csrr	t0, CSR_MEPC
	addi	t0, t0, 4
	sw	t0, TRAPEZE_IRQ_FRAME_MEPC(sp)
	li	t0, 1
	sw	t0, FRAME_MASKED(sp)
	lw	a1, SIGNAL_HANDLER(a2)
	la	t0, __signal_run
	csrw	CSR_MEPC, t0
	mret

5:	addi	t0, t0, -1
	bnez	t0, 9f
	/* Mask. When the mask ends, signals that are pending come by the software interrupt. */
	lui	t0, %hi(__signal_self)
	lw	a2, %lo(__signal_self)(t0)
	sw	a0, SIGNAL_MASKED(a2)
	bnez	a0, 6b
	lw	a3, SIGNAL_NOTIFY(a2)
	li	t1, 1
	sw	t1, 0(a3)
	j	6b

	/* No call of signals: handled as without signals. */
8:	csrrw	sp, CSR_MSCRATCH, sp
	j	__trapeze_entry
9:	lw	t0, -8(sp)
	j	8b
	.size	__signal_entry, . - __signal_entry

/* The software interrupt, from user mode. The frame is at sp, the user's sp in mscratch. */
	.balign	4
	.globl	__signal_notified
	.type	__signal_notified, @function
__signal_notified:
	lui	t0, %hi(__signal_self)
	lw	a2, %lo(__signal_self)(t0)
	lw	a3, SIGNAL_NOTIFY(a2)
	lw	t0, SIGNAL_MASKED(a2)
	sw	zero, 0(a3)
	lw	zero, 0(a3)
	bnez	t0, 1f			/* masked: the end of the mask looks for signals */
	TAKE	1f
	csrr	t1, CSR_MSCRATCH
	addi	t1, t1, -TRAPEZE_IRQ_FRAME
	.irp	word, TRAPEZE_IRQ_FRAME_RA, TRAPEZE_IRQ_FRAME_T0, TRAPEZE_IRQ_FRAME_T1, TRAPEZE_IRQ_FRAME_T2, \
		TRAPEZE_IRQ_FRAME_A0, TRAPEZE_IRQ_FRAME_A1, TRAPEZE_IRQ_FRAME_A2, TRAPEZE_IRQ_FRAME_A3, \
		TRAPEZE_IRQ_FRAME_A4, TRAPEZE_IRQ_FRAME_A5, TRAPEZE_IRQ_FRAME_MEPC
	lw	t0, \word(sp)
	sw	t0, \word(t1)
	.endr
	.irp	word, TRAPEZE_IRQ_FRAME_A6, TRAPEZE_IRQ_FRAME_A7, TRAPEZE_IRQ_FRAME_T3, TRAPEZE_IRQ_FRAME_T4, \
		TRAPEZE_IRQ_FRAME_T5, TRAPEZE_IRQ_FRAME_T6
	lw	t0, \word(sp)
	sw	t0, \word(t1)
	.endr
	sw	zero, FRAME_MASKED(t1)
	csrw	CSR_MSCRATCH, t1
	li	t0, 1
	sw	t0, SIGNAL_MASKED(a2)
	lw	a1, SIGNAL_HANDLER(a2)
	la	t0, __signal_run
	sw	t0, TRAPEZE_IRQ_FRAME_MEPC(sp)
	sw	a0, TRAPEZE_IRQ_FRAME_A0(sp)
	sw	a1, TRAPEZE_IRQ_FRAME_A1(sp)
1:	TRAPEZE_EMRET
	.size	__signal_notified, . - __signal_notified

/* Runs the handler in user mode. a0: the vector, a1: the handler. */
	.section .text.signal_run, "ax", @progbits
	.globl	__signal_run
	.type	__signal_run, @function
__signal_run:
	jalr	a1
	li	a7, SIGNAL_CALL_RETURN
	ecall
	.size	__signal_run, . - __signal_run

#endif
