/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The vector table for mtvec mode 1 and the two generic entries behind it.
 *
 * Slot n of the table is one jump to `__irq_vector_<n>`, a weak symbol: a program that defines it (see
 * TRAPEZE_IRQ_DIRECT in trapeze/irq.h) takes that interrupt without any code in between. The default is the generic
 * interrupt entry, which saves the caller-saved registers and calls the handler given to irq_connect(). Slot 0 takes
 * the exceptions.
 */
#include <trapeze/abi.h>
#include <trapeze/csr.h>

	.section .text.vectors, "ax", @progbits
	.option norvc
	.balign 128
	.globl __trapeze_vectors
	.type __trapeze_vectors, @function
__trapeze_vectors:
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
	.size __trapeze_vectors, . - __trapeze_vectors

/* Generic interrupt entry: caller-saved registers on the current stack, then irq_dispatch(mcause). */
	.section .text.irq, "ax", @progbits
	.balign 4
	.type __irq_entry, @function
__irq_entry:
	addi	sp, sp, -TRAPEZE_CALLER_FRAME
	TRAPEZE_SAVE_CALLER
	csrr	a0, CSR_MCAUSE
	call	__irq_dispatch
	TRAPEZE_RESTORE_CALLER
	addi	sp, sp, TRAPEZE_CALLER_FRAME
	mret
	.size __irq_entry, . - __irq_entry

/* Exception entry: all registers into a struct trap_frame on the exception stack, then __trap_dispatch(frame), which
 * may change the frame. mscratch is zero while an exception is being handled, so that an exception in there is
 * recognised and reported instead of overwriting the frame.
 */
	.globl	__trap_vector
	.weak	__trap_vector
	.type __trap_vector, @function
__trap_vector:
	csrrw	sp, CSR_MSCRATCH, sp
	beqz	sp, .Lnested
	addi	sp, sp, -TRAPEZE_TRAP_FRAME
	.irp	r, TRAPEZE_FRAME_REGISTERS
	sw	x\r, (4 * \r)(sp)
	.endr
	csrrw	a0, CSR_MSCRATCH, zero	/* the interrupted sp */
	sw	a0, (4 * 2)(sp)
	csrr	a0, CSR_MEPC
	csrr	a1, CSR_MCAUSE
	csrr	a2, CSR_MTVAL
	csrr	a3, CSR_MSTATUS
	sw	a0, TRAPEZE_FRAME_MEPC(sp)
	sw	a1, TRAPEZE_FRAME_MCAUSE(sp)
	sw	a2, TRAPEZE_FRAME_MTVAL(sp)
	sw	a3, TRAPEZE_FRAME_MSTATUS(sp)
	mv	a0, sp
	call	__trap_dispatch
	lw	a0, TRAPEZE_FRAME_MEPC(sp)
	lw	a1, TRAPEZE_FRAME_MSTATUS(sp)
	csrw	CSR_MEPC, a0
	csrw	CSR_MSTATUS, a1
	addi	a0, sp, TRAPEZE_TRAP_FRAME
	csrw	CSR_MSCRATCH, a0
	.irp	r, TRAPEZE_FRAME_REGISTERS
	lw	x\r, (4 * \r)(sp)
	.endr
	lw	sp, (4 * 2)(sp)
	mret

.Lnested:
	la	sp, __exception_stack_top
	csrr	a0, CSR_MCAUSE
	csrr	a1, CSR_MEPC
	csrr	a2, CSR_MTVAL
	tail	__trap_nested
	.size __trap_vector, . - __trap_vector
