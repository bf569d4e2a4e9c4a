/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Reset and trap entry of the machine-mode firmware below Linux (RV64).
 *
 * mscratch holds the top of the hart's stack while a lower mode runs. A trap saves the registers that a C function may
 * change, as struct sbi_frame; with cells all registers, so that a handler can change any of them. The other registers have their values from before the trap when the handler returns.
 */
#include <trapeze/isa.h>

#include "frame.h"

	.macro	each_saved op
	\op	ra, SBI_FRAME_RA(sp)
	\op	t0, SBI_FRAME_T0(sp)
	\op	t1, SBI_FRAME_T0+8(sp)
	\op	t2, SBI_FRAME_T0+16(sp)
	\op	a0, SBI_FRAME_A0(sp)
	\op	a1, SBI_FRAME_A0+8(sp)
	\op	a2, SBI_FRAME_A0+16(sp)
	\op	a3, SBI_FRAME_A0+24(sp)
	\op	a4, SBI_FRAME_A0+32(sp)
	\op	a5, SBI_FRAME_A0+40(sp)
	\op	a6, SBI_FRAME_A0+48(sp)
	\op	a7, SBI_FRAME_A0+56(sp)
	\op	t3, SBI_FRAME_T3(sp)
	\op	t4, SBI_FRAME_T3+8(sp)
	\op	t5, SBI_FRAME_T3+16(sp)
	\op	t6, SBI_FRAME_T3+24(sp)
#ifdef SBI_CELLS
	\op	gp, SBI_FRAME_GP(sp)
	\op	tp, SBI_FRAME_TP(sp)
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	\op	s\n, SBI_FRAME_S0+8*\n(sp)
	.endr
#endif
	.endm

	.section .text.start, "ax", @progbits
	.globl	_start
	.type	_start, @function
_start:
	csrw	CSR_MIE, zero
	csrr	a0, CSR_MHARTID
	mv	tp, a0
	li	t0, SBI_HARTS
	bgeu	a0, t0, .Lpark			/* QEMU may have more harts than the image has stacks */
	li	t0, SBI_SUPERVISOR_HARTS
	srl	t0, t0, a0
	andi	t0, t0, 1
	beqz	t0, .Lpark
	stack_top sp, a0
	la	t0, sbi_trap_entry
	csrw	CSR_MTVEC, t0
	li	t0, SBI_BOOT_HART
	bne	a0, t0, sbi_hart_wait
	la	t0, __bss_start
	la	t1, __bss_end
1:	bgeu	t0, t1, 2f
	sd	zero, 0(t0)
	addi	t0, t0, 8
	j	1b
2:	call	sbi_main
	csrr	a0, CSR_MHARTID
	la	a1, __device_tree
	j	sbi_enter
	.size	_start, . - _start

.Lpark:
	wfi
	j	.Lpark

	.balign	4
	.type	sbi_trap_entry, @function
sbi_trap_entry:
	csrrw	sp, CSR_MSCRATCH, sp
	addi	sp, sp, -SBI_FRAME_SIZE
	each_saved sd
#ifdef SBI_CELLS
	csrr	tp, CSR_MHARTID			/* sbi_hart() */
#endif
	mv	a0, sp
	call	sbi_trap
	each_saved ld
	addi	sp, sp, SBI_FRAME_SIZE
	csrrw	sp, CSR_MSCRATCH, sp
	mret
	.size	sbi_trap_entry, . - sbi_trap_entry
