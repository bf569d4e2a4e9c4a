/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * CLIC scheme: the table of handlers, and the entries for what is not vectored.
 *
 * Entry n of the table holds the address of `__irq_vector_<n>`, a weak symbol: a program that defines it (see
 * TRAPEZE_IRQ_DIRECT in trapeze/irq.h) takes that interrupt without any code in between, if it is vectored. The default
 * is the generic handler, which calls what irq_connect() was given, and lets higher levels preempt it.
 *
 * Exceptions and interrupts that are not vectored go to mtvec, which holds one of three entries (irq_entry_set()): the
 * careful one, which touches the stack only if it was an interrupt, and the two fast ones. All three end in a loop that
 * calls the table's entries as C functions until nothing is pending above the interrupted level.
 *
 * Loops: Fast Interrupts v0.10, "C-ABI Trampoline Code"; jalmnxti: Nuclei's, as CV32RT uses it.
 */
#include <trapeze/csr.h>
#include <trapeze/irq_nest.h>

/* ---------------------------------------------------------------- table, as large as its alignment */
	.section .data.irq_vectors, "aw", @progbits
	.set	table_size, 64
	.rept	8
	.if	table_size < 4 * IRQ_COUNT
	.set	table_size, 2 * table_size
	.endif
	.endr
	.balign	table_size
	.globl	__irq_vectors
	.type	__irq_vectors, @object
__irq_vectors:
	.altmacro
	.macro	vector_entry n
	.weak	__irq_vector_\n
	.word	__irq_vector_\n
	.set	__irq_vector_\n, __irq_entry
	.endm
	.set	entry, 0
	.rept	IRQ_COUNT
	vector_entry %entry
	.set	entry, entry + 1
	.endr
	.noaltmacro
	.size	__irq_vectors, . - __irq_vectors

/* ---------------------------------------------------------------- generic handler of a vectored interrupt */
	.section .text.irq, "ax", @progbits
	.balign	4
	.globl	__irq_entry
	.type	__irq_entry, @function
__irq_entry:
	TRAPEZE_IRQ_ENTER
	call	__irq_dispatch		/* (mcause) */
	TRAPEZE_IRQ_LEAVE
	.size	__irq_entry, . - __irq_entry

/* ---------------------------------------------------------------- generic handlers of interrupts that are not vectored
 * One function for each, as the entries' loops call them: by then a higher level may have preempted the loop, and mcause
 * does not name the interrupt any more. irq_vectored_set() counts on 8 bytes each.
 */
	.section .text.irq.functions, "ax", @progbits
	.balign	8
	.globl	__irq_functions
	.type	__irq_functions, @function
__irq_functions:
	.option	push
	.option	norvc
	.option	norelax
	.set	entry, 0
	.rept	IRQ_COUNT
	li	a0, entry
	j	__irq_dispatch
	.set	entry, entry + 1
	.endr
	.option	pop
	.size	__irq_functions, . - __irq_functions

/* ---------------------------------------------------------------- careful entry
 * Tells by mcause what happened before it uses the interrupted stack, which may be what went wrong: a0 waits on the
 * exception stack meanwhile.
 */
	.section .text.vectors, "ax", @progbits
	.balign	64
	.globl	__trapeze_entry
	.type	__trapeze_entry, @function
__trapeze_entry:
	csrrw	sp, CSR_MSCRATCH, sp
	beqz	sp, 1f
	sw	a0, -4(sp)
	csrr	a0, CSR_MCAUSE
	bltz	a0, 2f
	lw	a0, -4(sp)
	j	__trap_save
1:	j	__trap_again
2:	lw	a0, -4(sp)
	csrrw	sp, CSR_MSCRATCH, sp
	j	__irq_entry_xnxti
	.size	__trapeze_entry, . - __trapeze_entry

/* ---------------------------------------------------------------- xnxti
 * The specification's trampoline. `csrrsi MIE` stands off the loop, as only the way back from the last look needs it.
 * On exceptions the fast entries put back what they changed; that stands behind them, where the branch to it is not
 * predicted.
 */
	.macro	exception_exit
9:	lw	a0, 16(sp)
	lw	a1, 20(sp)
	addi	sp, sp, TRAPEZE_IRQ_FRAME
	j	__trap_vector
	.endm

	.balign	64
	.globl	__irq_entry_xnxti
	.type	__irq_entry_xnxti, @function
__irq_entry_xnxti:
	addi	sp, sp, -TRAPEZE_IRQ_FRAME
	sw	a1, 20(sp)
	csrr	a1, CSR_MCAUSE
	sw	a0, 16(sp)
	csrr	a0, CSR_MEPC
	bgez	a1, 9f
	sw	a0, TRAPEZE_IRQ_FRAME_MEPC(sp)
	sw	a1, TRAPEZE_IRQ_FRAME_MCAUSE(sp)
	TRAPEZE_CALLER_BUT_A0_A1 sw
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
	lw	a1, 20(sp)
	csrw	CSR_MEPC, a0
	csrrci	a0, CSR_MNXTI, MSTATUS_MIE	/* a last look: this claims */
	bnez	a0, .Lservice_again
	lw	a0, 16(sp)
	addi	sp, sp, TRAPEZE_IRQ_FRAME
	mret

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
	addi	sp, sp, -TRAPEZE_IRQ_FRAME
	.option	pop
	sw	a1, 20(sp)
	csrr	a1, CSR_MCAUSE
	sw	a0, 16(sp)
	csrr	a0, CSR_MEPC
	bgez	a1, 9f
	sw	a0, TRAPEZE_IRQ_FRAME_MEPC(sp)
	sw	a1, TRAPEZE_IRQ_FRAME_MCAUSE(sp)
	TRAPEZE_CALLER_BUT_A0_A1 sw
	.balign	4
.Lcall_next:
	csrrw	ra, CSR_JALMNXTI, ra

	TRAPEZE_CALLER_BUT_A0_A1 lw
	lw	a1, TRAPEZE_IRQ_FRAME_MCAUSE(sp)
	lw	a0, TRAPEZE_IRQ_FRAME_MEPC(sp)
	csrci	CSR_MSTATUS, MSTATUS_MIE
	csrw	CSR_MCAUSE, a1
	lw	a1, 20(sp)
	csrw	CSR_MEPC, a0
	csrr	a0, CSR_MNXTI		/* a last look: this claims nothing */
	bnez	a0, .Lcall_next
	lw	a0, 16(sp)
	addi	sp, sp, TRAPEZE_IRQ_FRAME
	mret

	exception_exit
	.size	__irq_entry_jalxnxti, . - __irq_entry_jalxnxti
