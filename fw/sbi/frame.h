/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Constants and structures that C and assembly of the firmware share: the registers that a trap saves (offsets
 * in bytes), stacks, the hart that boots.
 */
#ifndef TRAPEZE_SBI_FRAME_H_
#define TRAPEZE_SBI_FRAME_H_

#define SBI_FRAME_RA 0
#define SBI_FRAME_T0 8  /* t0 to t2 */
#define SBI_FRAME_A0 32 /* a0 to a7 */
#define SBI_FRAME_T3 96 /* t3 to t6 */
#ifdef SBI_CELLS        /* what is emulated may need any register; sp is in mscratch */
#define SBI_FRAME_GP   128
#define SBI_FRAME_TP   136
#define SBI_FRAME_S0   144 /* s0, s1, s2 to s11 */
#define SBI_FRAME_SIZE 240
#else
#define SBI_FRAME_SIZE 128
#endif

/** Logarithm of the bytes of a hart's stack; image.ld has the same size. */
#define SBI_STACK_SHIFT 12

/** mhartid of the hart that starts the kernel. */
#define SBI_BOOT_HART 0

#ifdef __ASSEMBLER__

/* Address of the top of a hart's stack; changes t0. */
/* clang-format off */
	.macro	stack_top rd, hart
	la	\rd, __stacks
	addi	t0, \hart, 1
	slli	t0, t0, SBI_STACK_SHIFT
	add	\rd, \rd, t0
	.endm
/* clang-format on */

#else
#include <stdint.h>

/** Registers of the interrupted program that a C function may change, and with cells all of them but sp. */
struct sbi_frame {
	uint64_t ra;
	uint64_t t0_t2[3];
	uint64_t a[8];
	uint64_t t3_t6[4];
#ifdef SBI_CELLS
	uint64_t gp;
	uint64_t tp;
	uint64_t s[12];
#endif
};
_Static_assert(sizeof(struct sbi_frame) == SBI_FRAME_SIZE, "start.S and C see the same frame");
#endif

#endif /* TRAPEZE_SBI_FRAME_H_ */
