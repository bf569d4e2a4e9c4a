/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The two calling conventions, ilp32 (RV32I) and ilp32e (RV32E), for assembly sources.
 *
 * Caller-saved registers are ra, t0-t6, a0-a7 (16) with ilp32 and ra, t0-t2, a0-a5 (10) with
 * ilp32e. Source: RISC-V ELF psABI, chapter Integer Register Convention.
 */
#ifndef TRAPEZE_ABI_H_
#define TRAPEZE_ABI_H_

#include <trapeze/isa.h>

/* clang-format off */

/* struct trap_frame of trapeze/trap.h: x0..x31 (x0..x15 with RV32E), then four words; a multiple of 16 bytes. */
#ifdef __riscv_32e
#define TRAPEZE_REGISTER_COUNT 16
#else
#define TRAPEZE_REGISTER_COUNT 32
#endif
#define TRAPEZE_FRAME_MEPC    (4 * TRAPEZE_REGISTER_COUNT)
#define TRAPEZE_FRAME_MCAUSE  (4 * TRAPEZE_REGISTER_COUNT + 4)
#define TRAPEZE_FRAME_MTVAL   (4 * TRAPEZE_REGISTER_COUNT + 8)
#define TRAPEZE_FRAME_MSTATUS (4 * TRAPEZE_REGISTER_COUNT + 12)
#define TRAPEZE_TRAP_FRAME    (4 * TRAPEZE_REGISTER_COUNT + 16)

/* Caller-saved registers: as many as the frame of an interrupt holds, and in its order. */
#define TRAPEZE_CALLER_COUNT  TRAPEZE_IRQ_FRAME_REGISTERS

/* Bytes for them, rounded up to the stack alignment of 16. */
#define TRAPEZE_CALLER_FRAME  ((4 * TRAPEZE_CALLER_COUNT + 15) & ~15)

#ifdef __ASSEMBLER__

/* Register numbers for .irp: every register but x0 and sp. */
#ifdef __riscv_32e
#define TRAPEZE_FRAME_REGISTERS 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#else
#define TRAPEZE_FRAME_REGISTERS                                                                    \
	1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,    \
	26, 27, 28, 29, 30, 31
#endif

/* Stores (op = sw) or loads (op = lw) the caller-saved registers at sp upwards, in the order of the frame of an
 * interrupt: those before a0 and a1, these two, those behind. */
	.macro TRAPEZE_CALLER_BEFORE op
	\op	ra, TRAPEZE_IRQ_FRAME_RA(sp)
	\op	t0, TRAPEZE_IRQ_FRAME_T0(sp)
	\op	t1, TRAPEZE_IRQ_FRAME_T1(sp)
	\op	t2, TRAPEZE_IRQ_FRAME_T2(sp)
	.endm

	.macro TRAPEZE_CALLER_A0_A1 op
	\op	a0, TRAPEZE_IRQ_FRAME_A0(sp)
	\op	a1, TRAPEZE_IRQ_FRAME_A1(sp)
	.endm

	.macro TRAPEZE_CALLER_BEHIND op
	\op	a2, TRAPEZE_IRQ_FRAME_A2(sp)
	\op	a3, TRAPEZE_IRQ_FRAME_A3(sp)
	\op	a4, TRAPEZE_IRQ_FRAME_A4(sp)
	\op	a5, TRAPEZE_IRQ_FRAME_A5(sp)
#ifndef __riscv_32e
	\op	a6, TRAPEZE_IRQ_FRAME_A6(sp)
	\op	a7, TRAPEZE_IRQ_FRAME_A7(sp)
	\op	t3, TRAPEZE_IRQ_FRAME_T3(sp)
	\op	t4, TRAPEZE_IRQ_FRAME_T4(sp)
	\op	t5, TRAPEZE_IRQ_FRAME_T5(sp)
	\op	t6, TRAPEZE_IRQ_FRAME_T6(sp)
#endif
	.endm

	.macro TRAPEZE_CALLER op
	TRAPEZE_CALLER_BEFORE \op
	TRAPEZE_CALLER_A0_A1 \op
	TRAPEZE_CALLER_BEHIND \op
	.endm

#define TRAPEZE_SAVE_CALLER    TRAPEZE_CALLER sw
#define TRAPEZE_RESTORE_CALLER TRAPEZE_CALLER lw

#endif /* __ASSEMBLER__ */

/* clang-format on */

#endif /* TRAPEZE_ABI_H_ */
