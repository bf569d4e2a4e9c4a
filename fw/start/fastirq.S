/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * fastirq scheme: how handlers return, and the entries for what is not vectored. Only exceptions save anything here: for
 * an interrupt the core has done it, and handlers are C functions. docs/fastirq.md says what emret does.
 *
 * Exceptions and interrupts that are not vectored go to mtvec, which holds one of three entries (irq_entry_set()), as in
 * the CLIC scheme (clic.S). In user mode exceptions are the monitor's, and there are two entries.
 */
#include <trapeze/irq_nest.h>
#include <trapeze/mode.h>
#include <trapeze/unwind.h>

/* ---------------------------------------------------------------- where C functions return to: mfastirq.link */
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
 * One stub for each interrupt, for irq_fast_connect(): it locks, then jumps to the function whose address is in the
 * interrupt's place of __irq_fast_locked. mcause may not name the interrupt any more when it begins. 16 bytes each, see
 * fw/hal/src/irq_fast.c.
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
 * Tells by mcause what happened before it uses the interrupted stack, which may be what went wrong: ra, which holds
 * something known even after an interrupt, waits on the exception stack meanwhile.
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
	.option	norvc			/* so that the loop is aligned: returns go there */
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
	jalr	a1			/* with the address of the table entry in a0 */
	csrrsi	a0, CSR_XNXTI, XSTATUS_XIE
	bnez	a0, 3b
4:	TRAPEZE_EXRET
	TRAPEZE_UNWIND_END
	.size	__trapeze_entry, . - __trapeze_entry

/* ---------------------------------------------------------------- fast entries
 * An exception leaves no register free to look at mcause with: they store one below the frame. On exceptions they put it
 * back, behind them, where the branch to it is not predicted.
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
	.option	norvc			/* as above */
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
	.option	norvc			/* so that csrrw is aligned: it is the target of returns */
	enter
	.option	pop
	csrrw	ra, CSR_JALMNXTI, ra
	leave
	.size	__irq_entry_jalxnxti, . - __irq_entry_jalxnxti
#endif /* TRAPEZE_USER */
