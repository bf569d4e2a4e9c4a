/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * CLINT scheme: the vector table for mtvec mode 1 and the generic entry behind it.
 *
 * Slot n of the table is one jump to `__irq_vector_<n>`, a weak symbol: a program that defines it (see
 * TRAPEZE_IRQ_DIRECT in trapeze/irq.h) takes that interrupt without any code in between. The default is the generic
 * interrupt entry, which saves the caller-saved registers and calls the handler given to irq_connect(). Slot 0 takes
 * the exceptions (trap.S).
 */
#include <trapeze/abi.h>
#include <trapeze/mode.h>
#include <trapeze/unwind.h>

	.section .text.vectors, "ax", @progbits
	.option norvc
	.balign 128
	.globl __trapeze_vectors
	.type __trapeze_vectors, @function
__trapeze_vectors:
	TRAPEZE_UNWIND_BEGIN
	j	__trap_vector
	.altmacro
	.macro	vector_slot n
	.weak	__irq_vector_\n
	j	__irq_vector_\n
	.set	__irq_vector_\n, __irq_entry
	.endm
	.set	slot, 1
	.rept	31
	vector_slot %slot
	.set	slot, slot + 1
	.endr
	.noaltmacro
	TRAPEZE_UNWIND_END
	.size __trapeze_vectors, . - __trapeze_vectors

/* Generic interrupt entry: saves the caller-saved registers on the current stack, then calls __irq_dispatch(mcause). */
	.section .text.irq, "ax", @progbits
	.balign 4
	.globl	__irq_entry
	.type __irq_entry, @function
__irq_entry:
	TRAPEZE_UNWIND_BEGIN
	TRAPEZE_UNWIND_ENTRY
	addi	sp, sp, -TRAPEZE_CALLER_FRAME
	TRAPEZE_UNWIND_SP TRAPEZE_CALLER_FRAME
	TRAPEZE_SAVE_CALLER
	TRAPEZE_UNWIND_CALLER TRAPEZE_CALLER_FRAME
	TRAPEZE_SAVE_FLOAT
#ifdef __riscv_flen
	TRAPEZE_UNWIND_SP TRAPEZE_CALLER_FRAME + TRAPEZE_FLOAT_FRAME
#endif
	csrr	a0, CSR_XCAUSE
	call	__irq_dispatch
	TRAPEZE_RESTORE_FLOAT
	TRAPEZE_UNWIND_SP TRAPEZE_CALLER_FRAME
	TRAPEZE_RESTORE_CALLER
	addi	sp, sp, TRAPEZE_CALLER_FRAME
	TRAPEZE_UNWIND_LEFT
	TRAPEZE_XRET
	TRAPEZE_UNWIND_END
	.size __irq_entry, . - __irq_entry
