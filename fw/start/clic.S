/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * CLIC scheme: the entries of exceptions, and of interrupts that are not vectored.
 *
 * Both go to mtvec, which holds one of three entries (irq_entry_set()): the careful entry, which uses the stack only
 * after an interrupt, and two fast entries. All three end in a loop that calls the functions of the table until no
 * interrupt above the interrupted level is pending.
 *
 * Loops: Fast Interrupts v0.10, "C-ABI Trampoline Code"; jalmnxti: Nuclei's, as CV32RT uses it.
 */
#include <trapeze/csr.h>
#include <trapeze/irq_nest.h>
#include <trapeze/unwind.h>

/* ---------------------------------------------------------------- careful entry
 * Reads mcause before it uses the interrupted stack, because a bad sp may be the reason for the exception. Meanwhile a0
 * is saved on the exception stack.
 */
	.section .text.vectors, "ax", @progbits
	.balign	64
	.globl	__trapeze_entry
	.type	__trapeze_entry, @function
__trapeze_entry:
	TRAPEZE_UNWIND_BEGIN CSR_MEPC
	TRAPEZE_UNWIND_ENTRY
	csrrw	sp, CSR_MSCRATCH, sp
	.cfi_register sp, TRAPEZE_COLUMN(CSR_MSCRATCH)
	beqz	sp, 1f
	sw	a0, -4(sp)
	csrr	a0, CSR_MCAUSE
	bltz	a0, 2f
	lw	a0, -4(sp)
	j	__trap_save
1:	j	__trap_again
2:	lw	a0, -4(sp)
	csrrw	sp, CSR_MSCRATCH, sp
	TRAPEZE_UNWIND_LEFT
	j	__irq_entry_xnxti
	TRAPEZE_UNWIND_END
	.size	__trapeze_entry, . - __trapeze_entry

/* ---------------------------------------------------------------- xnxti
 * The specification's trampoline. `csrrsi MIE` is outside of the loop, because only the way back from the last look
 * needs it. After an exception the fast entries restore what they have changed. That code stands behind the entry, so
 * that the branch to it is forward and predicted as not taken.
 */
	.macro	save_frame		/* sp: already below the frame */
	sw	a1, TRAPEZE_IRQ_FRAME_A1(sp)
	TRAPEZE_UNWIND_AT a1, TRAPEZE_IRQ_FRAME_A1, TRAPEZE_IRQ_FRAME
	csrr	a1, CSR_MCAUSE
	sw	a0, TRAPEZE_IRQ_FRAME_A0(sp)
	TRAPEZE_UNWIND_AT a0, TRAPEZE_IRQ_FRAME_A0, TRAPEZE_IRQ_FRAME
	csrr	a0, CSR_MEPC
	bgez	a1, 9f
	sw	a0, TRAPEZE_IRQ_FRAME_MEPC(sp)
	sw	a1, TRAPEZE_IRQ_FRAME_MCAUSE(sp)
	TRAPEZE_CALLER_BUT_A0_A1 sw
	TRAPEZE_UNWIND_FRAME
	.endm

	/* Leaves the frame. The state of the unwind information before it is kept for the other way out. */
	.macro	left
	addi	sp, sp, TRAPEZE_IRQ_FRAME
	TRAPEZE_UNWIND_LEFT
	TRAPEZE_UNWIND_ENTRY
	.endm

	.macro	exception_exit
	TRAPEZE_UNWIND_SP TRAPEZE_IRQ_FRAME
	TRAPEZE_UNWIND_A0_A1 TRAPEZE_IRQ_FRAME
9:	lw	a0, TRAPEZE_IRQ_FRAME_A0(sp)
	lw	a1, TRAPEZE_IRQ_FRAME_A1(sp)
	addi	sp, sp, TRAPEZE_IRQ_FRAME
	TRAPEZE_UNWIND_LEFT
	j	__trap_vector
	TRAPEZE_UNWIND_END
	.endm

	.balign	64
	.globl	__irq_entry_xnxti
	.type	__irq_entry_xnxti, @function
__irq_entry_xnxti:
	TRAPEZE_UNWIND_BEGIN
	TRAPEZE_UNWIND_ENTRY
	addi	sp, sp, -TRAPEZE_IRQ_FRAME
	TRAPEZE_UNWIND_SP TRAPEZE_IRQ_FRAME
	save_frame
	csrrsi	a0, CSR_MNXTI, MSTATUS_MIE
	beqz	a0, .Lvanished
	.balign	4			/* aligned without filling: the return address is aligned as well */
.Lservice:
	lw	a1, 0(a0)
	jalr	a1			/* in a0: address of the table entry */
	csrrsi	a0, CSR_MNXTI, MSTATUS_MIE
	bnez	a0, .Lservice

	TRAPEZE_CALLER_BUT_A0_A1 lw
	lw	a1, TRAPEZE_IRQ_FRAME_MCAUSE(sp)
.Lvanished:
	lw	a0, TRAPEZE_IRQ_FRAME_MEPC(sp)
	csrci	CSR_MSTATUS, MSTATUS_MIE
	csrw	CSR_MCAUSE, a1
	lw	a1, TRAPEZE_IRQ_FRAME_A1(sp)
	csrw	CSR_MEPC, a0
	csrrci	a0, CSR_MNXTI, MSTATUS_MIE	/* a last look, which claims an interrupt */
	bnez	a0, .Lservice_again
	lw	a0, TRAPEZE_IRQ_FRAME_A0(sp)
	left
	mret

	TRAPEZE_UNWIND_FRAME
.Lservice_again:
	csrsi	CSR_MSTATUS, MSTATUS_MIE
	j	.Lservice

	exception_exit
	.size	__irq_entry_xnxti, . - __irq_entry_xnxti

/* ---------------------------------------------------------------- jalxnxti
 * One instruction claims, enables interrupts, calls, and is where the handler returns to.
 */
	.balign	64
	.globl	__irq_entry_jalxnxti
	.type	__irq_entry_jalxnxti, @function
__irq_entry_jalxnxti:
	.option	push
	.option	norvc			/* aligns csrrw below, the target of returns */
	TRAPEZE_UNWIND_BEGIN
	TRAPEZE_UNWIND_ENTRY
	addi	sp, sp, -TRAPEZE_IRQ_FRAME
	TRAPEZE_UNWIND_SP TRAPEZE_IRQ_FRAME
	.option	pop
	save_frame
	.balign	4
.Lcall_next:
	csrrw	ra, CSR_JALMNXTI, ra

	TRAPEZE_CALLER_BUT_A0_A1 lw
	lw	a1, TRAPEZE_IRQ_FRAME_MCAUSE(sp)
	lw	a0, TRAPEZE_IRQ_FRAME_MEPC(sp)
	csrci	CSR_MSTATUS, MSTATUS_MIE
	csrw	CSR_MCAUSE, a1
	lw	a1, TRAPEZE_IRQ_FRAME_A1(sp)
	csrw	CSR_MEPC, a0
	csrr	a0, CSR_MNXTI		/* a last look, which claims nothing */
	bnez	a0, .Lcall_next
	lw	a0, TRAPEZE_IRQ_FRAME_A0(sp)
	left
	mret

	exception_exit
	.size	__irq_entry_jalxnxti, . - __irq_entry_jalxnxti
