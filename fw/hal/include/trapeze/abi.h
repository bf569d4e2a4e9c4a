/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The calling conventions, ilp32 (RV32I), ilp32e (RV32E) and lp64d (RV64 with D), for assembly sources.
 *
 * Caller-saved registers are ra, t0-t6, a0-a7 (16) with ilp32 and ra, t0-t2, a0-a5 (10) with
 * ilp32e; with lp64d as with ilp32, and ft0-ft11, fa0-fa7 (20). Source: RISC-V ELF psABI, chapter Integer Register Convention.
 */
#ifndef TRAPEZE_ABI_H_
#define TRAPEZE_ABI_H_

#include <trapeze/isa.h>

/* clang-format off */

/* Size of an integer register in bytes, and the instructions that store and load one. */
#if __riscv_xlen == 64
#define TRAPEZE_REG 8
#define REG_S       sd
#define REG_L       ld
#else
#define TRAPEZE_REG 4
#define REG_S       sw
#define REG_L       lw
#endif

/* struct trap_frame of trapeze/trap.h: x0..x31 (x0..x15 with RV32E), then four words; a multiple of 16 bytes. */
#ifdef __riscv_32e
#define TRAPEZE_REGISTER_COUNT 16
#else
#define TRAPEZE_REGISTER_COUNT 32
#endif
#define TRAPEZE_FRAME_MEPC    (TRAPEZE_REG * TRAPEZE_REGISTER_COUNT)
#define TRAPEZE_FRAME_MCAUSE  (TRAPEZE_REG * (TRAPEZE_REGISTER_COUNT + 1))
#define TRAPEZE_FRAME_MTVAL   (TRAPEZE_REG * (TRAPEZE_REGISTER_COUNT + 2))
#define TRAPEZE_FRAME_MSTATUS (TRAPEZE_REG * (TRAPEZE_REGISTER_COUNT + 3))
#define TRAPEZE_TRAP_FRAME    (TRAPEZE_REG * (TRAPEZE_REGISTER_COUNT + 4))

/* Caller-saved registers: as many as the frame of an interrupt holds, and in its order. */
#define TRAPEZE_CALLER_COUNT  TRAPEZE_IRQ_FRAME_REGISTERS

/* Bytes for the caller-saved registers, rounded up to the stack alignment of 16. */
#define TRAPEZE_CALLER_FRAME  ((TRAPEZE_REG * TRAPEZE_CALLER_COUNT + 15) & ~15)

#ifdef __ASSEMBLER__

/* Register numbers for .irp: every register but x0 and sp. */
#ifdef __riscv_32e
#define TRAPEZE_FRAME_REGISTERS 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#else
#define TRAPEZE_FRAME_REGISTERS                                                                    \
	1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,    \
	26, 27, 28, 29, 30, 31
#endif

/* Stores (op = REG_S) or loads (op = REG_L) the caller-saved registers at sp upwards, in the order of the frame of
 * an interrupt with RV32's offsets, in three parts: the registers before a0 and a1, a0 and a1, the registers behind. */
	.macro TRAPEZE_CALLER_BEFORE op
	\op	ra, (TRAPEZE_IRQ_FRAME_RA * TRAPEZE_REG / 4)(sp)
	\op	t0, (TRAPEZE_IRQ_FRAME_T0 * TRAPEZE_REG / 4)(sp)
	\op	t1, (TRAPEZE_IRQ_FRAME_T1 * TRAPEZE_REG / 4)(sp)
	\op	t2, (TRAPEZE_IRQ_FRAME_T2 * TRAPEZE_REG / 4)(sp)
	.endm

	.macro TRAPEZE_CALLER_A0_A1 op
	\op	a0, (TRAPEZE_IRQ_FRAME_A0 * TRAPEZE_REG / 4)(sp)
	\op	a1, (TRAPEZE_IRQ_FRAME_A1 * TRAPEZE_REG / 4)(sp)
	.endm

	.macro TRAPEZE_CALLER_BEHIND op
	\op	a2, (TRAPEZE_IRQ_FRAME_A2 * TRAPEZE_REG / 4)(sp)
	\op	a3, (TRAPEZE_IRQ_FRAME_A3 * TRAPEZE_REG / 4)(sp)
	\op	a4, (TRAPEZE_IRQ_FRAME_A4 * TRAPEZE_REG / 4)(sp)
	\op	a5, (TRAPEZE_IRQ_FRAME_A5 * TRAPEZE_REG / 4)(sp)
#ifndef __riscv_32e
	\op	a6, (TRAPEZE_IRQ_FRAME_A6 * TRAPEZE_REG / 4)(sp)
	\op	a7, (TRAPEZE_IRQ_FRAME_A7 * TRAPEZE_REG / 4)(sp)
	\op	t3, (TRAPEZE_IRQ_FRAME_T3 * TRAPEZE_REG / 4)(sp)
	\op	t4, (TRAPEZE_IRQ_FRAME_T4 * TRAPEZE_REG / 4)(sp)
	\op	t5, (TRAPEZE_IRQ_FRAME_T5 * TRAPEZE_REG / 4)(sp)
	\op	t6, (TRAPEZE_IRQ_FRAME_T6 * TRAPEZE_REG / 4)(sp)
#endif
	.endm

	.macro TRAPEZE_CALLER op
	TRAPEZE_CALLER_BEFORE \op
	TRAPEZE_CALLER_A0_A1 \op
	TRAPEZE_CALLER_BEHIND \op
	.endm

#define TRAPEZE_SAVE_CALLER    TRAPEZE_CALLER REG_S
#define TRAPEZE_RESTORE_CALLER TRAPEZE_CALLER REG_L

/* Saves the floating-point registers that a call may change, and fcsr, below sp, and moves sp; and restores them.
 * Uses up t0. */
#ifdef __riscv_flen
#define TRAPEZE_FLOAT_FRAME 176
	.macro TRAPEZE_FLOAT op
	.set	TRAPEZE_FLOAT_OFFSET, 0
	.irp	r, 0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31
	\op	f\r, TRAPEZE_FLOAT_OFFSET(sp)
	.set	TRAPEZE_FLOAT_OFFSET, TRAPEZE_FLOAT_OFFSET + 8
	.endr
	.endm

	.macro TRAPEZE_SAVE_FLOAT
	addi	sp, sp, -TRAPEZE_FLOAT_FRAME
	TRAPEZE_FLOAT fsd
	frcsr	t0
	sd	t0, TRAPEZE_FLOAT_OFFSET(sp)
	.endm

	.macro TRAPEZE_RESTORE_FLOAT
	TRAPEZE_FLOAT fld
	ld	t0, TRAPEZE_FLOAT_OFFSET(sp)
	fscsr	t0
	addi	sp, sp, TRAPEZE_FLOAT_FRAME
	.endm
#else
	.macro TRAPEZE_SAVE_FLOAT
	.endm

	.macro TRAPEZE_RESTORE_FLOAT
	.endm
#endif

#endif /* __ASSEMBLER__ */

/* clang-format on */

#endif /* TRAPEZE_ABI_H_ */
