/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Exception entry: saves all registers into a struct trap_frame on the exception stack, then calls
 * __trap_dispatch(frame), which may change the frame. mscratch is zero while an exception is being handled. An
 * exception inside the handler is recognised by that, and reported instead of overwriting the frame.
 */
#include <trapeze/abi.h>
#include <trapeze/csr.h>
#include <trapeze/hart.h>
#include <trapeze/mode.h>
#include <trapeze/unwind.h>

	.section .text.irq, "ax", @progbits
	.balign 4
	.globl	__trap_vector
	.weak	__trap_vector
	.type __trap_vector, @function
__trap_vector:
	TRAPEZE_UNWIND_BEGIN CSR_XEPC
	TRAPEZE_UNWIND_ENTRY
	csrrw	sp, CSR_XSCRATCH, sp
	.cfi_register sp, TRAPEZE_COLUMN(CSR_XSCRATCH)
	beqz	sp, __trap_again

	/* Here sp and mscratch have been swapped already. */
	.globl	__trap_save
	.type __trap_save, @function
__trap_save:
	addi	sp, sp, -TRAPEZE_TRAP_FRAME
	TRAPEZE_UNWIND_SP TRAPEZE_TRAP_FRAME
	.irp	r, TRAPEZE_FRAME_REGISTERS
	REG_S	x\r, (TRAPEZE_REG * \r)(sp)
	.endr
	.irp	r, TRAPEZE_FRAME_REGISTERS
	TRAPEZE_UNWIND_AT x\r, TRAPEZE_REG * \r, TRAPEZE_TRAP_FRAME
	.endr
	csrrw	a0, CSR_XSCRATCH, zero	/* the interrupted sp */
	.cfi_register sp, a0
	REG_S	a0, (TRAPEZE_REG * 2)(sp)
	TRAPEZE_UNWIND_AT sp, TRAPEZE_REG * 2, TRAPEZE_TRAP_FRAME
	csrr	a0, CSR_XEPC
	csrr	a1, CSR_XCAUSE
	csrr	a2, CSR_XTVAL
	csrr	a3, CSR_XSTATUS
	REG_S	a0, TRAPEZE_FRAME_MEPC(sp)
	TRAPEZE_UNWIND_AT TRAPEZE_COLUMN(CSR_XEPC), TRAPEZE_FRAME_MEPC, TRAPEZE_TRAP_FRAME
	REG_S	a1, TRAPEZE_FRAME_MCAUSE(sp)
	REG_S	a2, TRAPEZE_FRAME_MTVAL(sp)
	REG_S	a3, TRAPEZE_FRAME_MSTATUS(sp)
	mv	a0, sp
	TRAPEZE_SAVE_FLOAT
#ifdef __riscv_flen
	TRAPEZE_UNWIND_SP TRAPEZE_TRAP_FRAME + TRAPEZE_FLOAT_FRAME
#endif
	call	__trap_dispatch
	TRAPEZE_RESTORE_FLOAT
	TRAPEZE_UNWIND_SP TRAPEZE_TRAP_FRAME
	REG_L	a0, TRAPEZE_FRAME_MEPC(sp)
	REG_L	a1, TRAPEZE_FRAME_MSTATUS(sp)
#ifdef TRAPEZE_IRQ_CLIC
	/* Restores the previous level and minhv. The fields that mcause shares with mstatus are restored by the write
	 * to mstatus.
	 */
	REG_L	a2, TRAPEZE_FRAME_MCAUSE(sp)
	csrw	CSR_XCAUSE, a2
#endif
	csrw	CSR_XEPC, a0
	csrw	CSR_XSTATUS, a1
	addi	a0, sp, TRAPEZE_TRAP_FRAME
	csrw	CSR_XSCRATCH, a0
	.irp	r, TRAPEZE_FRAME_REGISTERS
	REG_L	x\r, (TRAPEZE_REG * \r)(sp)
	.endr
	REG_L	sp, (TRAPEZE_REG * 2)(sp)
	TRAPEZE_UNWIND_LEFT
	TRAPEZE_XRET

	.globl	__trap_again
	.type __trap_again, @function
__trap_again:
	la	sp, __exception_stack_top
#if TRAPEZE_HARTS > 1
	csrr	a0, CSR_MHARTID
	lui	a1, %hi(__hart_exception_stack_size)
	addi	a1, a1, %lo(__hart_exception_stack_size)
	beqz	a0, 2f
1:	add	sp, sp, a1
	addi	a0, a0, -1
	bnez	a0, 1b
2:
#endif
	csrr	a0, CSR_XCAUSE
	csrr	a1, CSR_XEPC
	csrr	a2, CSR_XTVAL
	tail	__trap_nested
	TRAPEZE_UNWIND_END
	.size __trap_vector, . - __trap_vector
