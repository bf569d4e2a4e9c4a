/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief For assembly sources, CLIC and fastirq schemes: what stands around the body of an interrupt
 * handler that may call C functions and may be preempted by higher levels.
 *
 * CLIC: after Figure 5(b) of the CV32RT paper: the caller-saved registers, mepc and mcause go to the
 * stack, interrupts are enabled, and the same is undone behind the body. mcause carries the level,
 * the mode and the interrupt enable of what was interrupted, so nothing else is needed.
 *
 * fastirq: the core has done all of this, in the same layout, and emret undoes it.
 * @code
 * handler:
 *         TRAPEZE_IRQ_ENTER
 *         call    c_function
 *         TRAPEZE_IRQ_LEAVE
 * @endcode
 */
#ifndef TRAPEZE_IRQ_NEST_H_
#define TRAPEZE_IRQ_NEST_H_

#ifdef __ASSEMBLER__

#include <trapeze/abi.h>
#include <trapeze/mode.h>
#include <trapeze/unwind.h>

/* clang-format off */

/* The frame is TRAPEZE_IRQ_FRAME of trapeze/isa.h. */

/* Stores (op = sw) or loads (op = lw) the caller-saved registers except a0 and a1. */
	.macro TRAPEZE_CALLER_BUT_A0_A1 op
	TRAPEZE_CALLER_BEFORE \op
	TRAPEZE_CALLER_BEHIND \op
	.endm

/* Saves the whole context of an interrupt on the stack: 21 instructions with ilp32, 15 with ilp32e, none of which
 * waits for the one before it. Leaves mcause in a0 and mepc in a1. */
	.macro TRAPEZE_IRQ_SAVE
	TRAPEZE_UNWIND_ENTRY
	addi	sp, sp, -TRAPEZE_IRQ_FRAME
	TRAPEZE_UNWIND_SP TRAPEZE_IRQ_FRAME
	TRAPEZE_CALLER_A0_A1 sw
	TRAPEZE_UNWIND_A0_A1 TRAPEZE_IRQ_FRAME
	csrr	a0, CSR_XCAUSE
	csrr	a1, CSR_XEPC
	TRAPEZE_CALLER_BUT_A0_A1 sw
	sw	a0, TRAPEZE_IRQ_FRAME_MCAUSE(sp)
	sw	a1, TRAPEZE_IRQ_FRAME_MEPC(sp)
	TRAPEZE_UNWIND_FRAME
	.endm

#ifdef TRAPEZE_IRQ_FAST

	.macro TRAPEZE_IRQ_ENTER
	TRAPEZE_UNWIND_FRAME
	.endm

	.macro TRAPEZE_IRQ_LEAVE
	TRAPEZE_EXRET
	.endm

#else

	.macro TRAPEZE_IRQ_ENTER
	TRAPEZE_IRQ_SAVE
	csrsi	CSR_XSTATUS, XSTATUS_XIE
	.endm

/* Restores the context. Interrupts stay enabled as long as possible: until mcause and mepc are written, which a
 * preempting interrupt would overwrite. With `unmask` the threshold becomes 0 there, too, where no interrupt can
 * come any more. */
	.macro TRAPEZE_IRQ_LEAVE unmask=0
	TRAPEZE_CALLER_BUT_A0_A1 lw
	lw	a0, TRAPEZE_IRQ_FRAME_MCAUSE(sp)
	lw	a1, TRAPEZE_IRQ_FRAME_MEPC(sp)
	csrci	CSR_XSTATUS, XSTATUS_XIE
	.if	\unmask
	csrw	CSR_XINTTHRESH, zero
	.endif
	csrw	CSR_XCAUSE, a0
	csrw	CSR_XEPC, a1
	TRAPEZE_CALLER_A0_A1 lw
	addi	sp, sp, TRAPEZE_IRQ_FRAME
	TRAPEZE_UNWIND_LEFT
	TRAPEZE_XRET
	.endm

#endif /* TRAPEZE_IRQ_FAST */

/* clang-format on */

#endif /* __ASSEMBLER__ */

#endif /* TRAPEZE_IRQ_NEST_H_ */
