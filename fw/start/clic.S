/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * CLIC scheme: the entries for what is not vectored.
 *
 * Exceptions and interrupts that are not vectored go to mtvec, which holds one of three entries (irq_entry_set()): the
 * careful one, which touches the stack only if it was an interrupt, and the two fast ones. All three end in a loop that
 * calls the table's entries as C functions until nothing is pending above the interrupted level.
 *
 * Loops: Fast Interrupts v0.10, "C-ABI Trampoline Code"; jalmnxti: Nuclei's, as CV32RT uses it.
 */
#include <trapeze/csr.h>
#include <trapeze/irq_nest.h>
#include <trapeze/unwind.h>

/* ---------------------------------------------------------------- careful entry
 * Tells by mcause what happened before it uses the interrupted stack, which may be what went wrong: a0 waits on the
 * exception stack meanwhile.
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
 * The specification's trampoline. `csrrsi MIE` stands off the loop, as only the way back from the last look needs it.
 * On exceptions the fast entries put back what they changed; that stands behind them, where the branch to it is not
 * predicted.
 */
	.macro	save_frame		/* behind the room for it */
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

	/* The entry's state is kept for the other way out. */
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
	.balign	4			/* no filling: so is the return address */
.Lservice:
	lw	a1, 0(a0)
	jalr	a1			/* with the address of the table entry in a0 */
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
	csrrci	a0, CSR_MNXTI, MSTATUS_MIE	/* a last look: this claims */
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
	.option	norvc			/* so that csrrw below is aligned: it is the target of returns */
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
	csrr	a0, CSR_MNXTI		/* a last look: this claims nothing */
	bnez	a0, .Lcall_next
	lw	a0, TRAPEZE_IRQ_FRAME_A0(sp)
	left
	mret

	exception_exit
	.size	__irq_entry_jalxnxti, . - __irq_entry_jalxnxti
