/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * fastirq scheme: the return of handlers, and the entries of exceptions and of interrupts that are not vectored. Only
 * exceptions save registers here. For an interrupt the core has saved them, and handlers are C functions.
 * docs/fastirq.md describes emret.
 *
 * Exceptions and interrupts that are not vectored go to mtvec, which holds one of three entries (irq_entry_set()), as
 * in the CLIC scheme (clic.S). In user mode there are two entries, and exceptions go to the monitor.
 */
#include <trapeze/irq_nest.h>
#include <trapeze/mode.h>
#include <trapeze/unwind.h>

/* ---------------------------------------------------------------- return address of C functions: mfastirq.link */
	.section .text.irq, "ax", @progbits
	.balign	4
	.globl	__irq_fast_return
	.type	__irq_fast_return, @function
__irq_fast_return:
	TRAPEZE_EXRET
	.size	__irq_fast_return, . - __irq_fast_return
#ifdef TRAPEZE_USER
	TRAPEZE_UNWIND_RETURN __irq_fast_return
#else
	TRAPEZE_UNWIND_RETURN __irq_fast_return, changes_stack=1
#endif

/* ---------------------------------------------------------------- handlers that nothing preempts
 * One stub for each interrupt, for irq_fast_connect(). It disables interrupts, then jumps to the function whose address
 * is in the interrupt's element of __irq_fast_locked. It does not use mcause, which may already name another interrupt.
 * Each stub takes 16 bytes, see fw/hal/src/irq_fast.c.
 */
	.section .text.irq.locked, "ax", @progbits
	.balign	16
	.globl	__irq_fast_stubs
	.type	__irq_fast_stubs, @function
__irq_fast_stubs:
	.option	push
	.option	norvc
	.option	norelax
	.set	entry, 0
	.rept	IRQ_COUNT
	csrci	CSR_XSTATUS, XSTATUS_XIE
	lui	t0, %hi(__irq_fast_locked + 4 * entry)
	lw	t0, %lo(__irq_fast_locked + 4 * entry)(t0)
	jr	t0
	.set	entry, entry + 1
	.endr
	.option	pop
	.size	__irq_fast_stubs, . - __irq_fast_stubs

/* ---------------------------------------------------------------- careful entry
 * Reads mcause before it uses the interrupted stack, because a bad sp may be the reason for the exception. Meanwhile
 * ra, whose value is known even after an interrupt, is saved on the exception stack.
 */
	.section .text.vectors, "ax", @progbits
	.balign	64
	.globl	__trapeze_entry
	.type	__trapeze_entry, @function
__trapeze_entry:
	TRAPEZE_UNWIND_BEGIN
#ifndef TRAPEZE_USER
	TRAPEZE_UNWIND_SHARED sp
	TRAPEZE_UNWIND_EITHER 1, TRAPEZE_IRQ_FRAME_RA
	csrrw	sp, CSR_MSCRATCH, sp
	TRAPEZE_UNWIND_SHARED mscratch
	beqz	sp, 1f
	sw	ra, -4(sp)
	csrr	ra, CSR_MCAUSE
	TRAPEZE_UNWIND_RA_WAITS
	bltz	ra, 2f
	lw	ra, -4(sp)
	TRAPEZE_UNWIND_EITHER 1, TRAPEZE_IRQ_FRAME_RA
	j	__trap_save
1:	j	__trap_again
#endif
	.option	push
	.option	norvc			/* aligns the loop: handlers return into it */
	.balign	4
#ifndef TRAPEZE_USER
2:	csrrw	sp, CSR_MSCRATCH, sp
	.cfi_def_cfa sp, 0
#endif
	TRAPEZE_UNWIND_FAST_FRAME
	csrrsi	a0, CSR_XNXTI, XSTATUS_XIE
	beqz	a0, 4f
	.option	pop
3:	lw	a1, 0(a0)
	jalr	a1			/* in a0: address of the table entry */
	csrrsi	a0, CSR_XNXTI, XSTATUS_XIE
	bnez	a0, 3b
4:	TRAPEZE_EXRET
	TRAPEZE_UNWIND_END
	.size	__trapeze_entry, . - __trapeze_entry

/* ---------------------------------------------------------------- fast entries
 * An exception leaves no register free to read mcause, so the entries save ra below the frame. After an exception they
 * restore it. That code stands behind the entry, so that the branch to it is forward and predicted as not taken.
 */
	.macro	enter
	TRAPEZE_UNWIND_BEGIN
	TRAPEZE_UNWIND_ENTRY
	TRAPEZE_UNWIND_FAST_FRAME
#ifndef TRAPEZE_USER
	addi	sp, sp, -16
	TRAPEZE_UNWIND_SP TRAPEZE_IRQ_FRAME + 16
	sw	ra, 0(sp)
	csrr	ra, CSR_MCAUSE
	bgez	ra, 9f
#endif
	.endm

	.macro	leave
#ifdef TRAPEZE_USER
	TRAPEZE_EXRET
#else
	addi	sp, sp, 16
	TRAPEZE_UNWIND_SP TRAPEZE_IRQ_FRAME
	TRAPEZE_EXRET
	TRAPEZE_UNWIND_LEFT
	TRAPEZE_UNWIND_ENTRY
	TRAPEZE_UNWIND_SP 16
	TRAPEZE_UNWIND_AT ra, 0, 16
9:	lw	ra, 0(sp)
	addi	sp, sp, 16
	TRAPEZE_UNWIND_LEFT
	j	__trap_vector
#endif
	TRAPEZE_UNWIND_END
	.endm

	.balign	64
	.globl	__irq_entry_xnxti
	.type	__irq_entry_xnxti, @function
__irq_entry_xnxti:
	.option	push
	.option	norvc			/* aligns the loop: handlers return into it */
	enter
	csrrsi	a0, CSR_XNXTI, XSTATUS_XIE
	beqz	a0, 4f
	.option	pop
3:	lw	a1, 0(a0)
	jalr	a1
	csrrsi	a0, CSR_XNXTI, XSTATUS_XIE
	bnez	a0, 3b
4:	leave
	.size	__irq_entry_xnxti, . - __irq_entry_xnxti

#ifndef TRAPEZE_USER
/* One instruction claims, enables interrupts, calls, and is where the handler returns to. */
	.balign	64
	.globl	__irq_entry_jalxnxti
	.type	__irq_entry_jalxnxti, @function
__irq_entry_jalxnxti:
	.option	push
	.option	norvc			/* aligns csrrw, the target of returns */
	enter
	.option	pop
	csrrw	ra, CSR_JALMNXTI, ra
	leave
	.size	__irq_entry_jalxnxti, . - __irq_entry_jalxnxti
#endif /* TRAPEZE_USER */
