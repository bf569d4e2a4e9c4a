/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * An interrupted program (background.inc) that leaves contexts by emret, as a kernel does when it switches tasks. It
 * writes a frame of its own and returns from it, so that the hardware loads it, or loads it ahead because mframe named
 * it. The interrupt comes while the frame is written, while it is loaded ahead, while emret loads it, and directly
 * afterwards. fastirq only.
 */
#include <trapeze/irq_nest.h>

#include "background.inc"

/* Writes a frame with the current registers. Its mepc is the next instruction after leave_frame. */
	.macro	make_frame
	addi	sp, sp, -TRAPEZE_IRQ_FRAME
	TRAPEZE_CALLER sw
	la	t0, 9f
	sw	t0, TRAPEZE_IRQ_FRAME_MEPC(sp)
	li	t0, MCAUSE_INTERRUPT | MCAUSE_MPP | MCAUSE_MPIE
	sw	t0, TRAPEZE_IRQ_FRAME_MCAUSE(sp)
	.endm

	.macro	leave_frame
	TRAPEZE_EMRET
	ebreak
9:
	.endm

	background_begin
.Lloop:
	make_frame
	leave_frame
	mix	t0
	mix	a1

	/* The frame is loaded ahead, and emret comes before that is done. */
	make_frame
	csrw	CSR_MFRAME, sp
	leave_frame
	mix	t0

	/* The frame is loaded ahead, and emret comes after that. The program does something else meanwhile. */
	make_frame
	csrw	CSR_MFRAME, sp
	lw	t0, 0(s0)
	divu	t1, a1, a5
	sw	a1, 0(s0)
	divu	t1, a2, a5
	leave_frame
	mix	t0
	mix	t1

	/* The frame is named and then written again; a frame is named and never used. */
	make_frame
	csrw	CSR_MFRAME, sp
	sw	a5, TRAPEZE_IRQ_FRAME_A1(sp)
	leave_frame
	csrw	CSR_MFRAME, s0
	mix	a1
	addi	a5, a5, 77
	addi	s1, s1, -1
	bnez	s1, .Lloop

	background_end 0x97289fc6, 0x9fc49729
	.size	background, . - background

	background_data
