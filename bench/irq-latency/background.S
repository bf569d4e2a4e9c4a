/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * uint32_t background(void): the interrupted program. Between markers 2 and 3 it executes every kind of instruction
 * that may delay an interrupt: loads and stores (aligned, misaligned within a word and across words, back to back, with
 * the value used at once), branches taken and not taken, forwards and backwards, jumps, calls and returns, multiplies,
 * divides, CSR accesses, and 16-bit and 32-bit instructions at both alignments.
 *
 * USER: for user mode below a machine mode of its own. CSRs of machine mode are left out, and constants stand for their
 * values. TRAPEZE_USER, of the build: for user mode with interrupts of its own. The CSRs are those of user mode.
 */
#include <trapeze/mode.h>

#include "background.inc"

/* CSRs: one of the mode in which 5 does no harm, one that reads zero, the counter of cycles. */
#ifdef TRAPEZE_USER
#define SETTING CSR_UINTTHRESH
#define ZERO    CSR_UTVAL
#define COUNTER CSR_CYCLE
#else
#define SETTING CSR_MCOUNTEREN
#define ZERO    CSR_MHARTID
#define COUNTER CSR_MCYCLE
#endif

	background_begin
.Lloop:
	/* Stores back to back, then loads back to back, then a load whose value is used at once. */
	sw	a1, 0(s0)
	sw	a2, 4(s0)
	sw	a3, 8(s0)
	sh	a4, 12(s0)
	stone
	sb	a5, 14(s0)
	sb	t2, 15(s0)
	lw	a1, 4(s0)
	lw	a2, 8(s0)
	lhu	a3, 0(s0)
	stone
	lb	t0, 15(s0)
	mix	t0
	lw	t0, 12(s0)
	stone
	add	t0, t0, a1
	mix	t0

	/* A store and a load of the same word; a load of the next one's address; a store of a result. */
	sw	a0, 16(s0)
	lw	t0, 16(s0)
	xor	a3, a3, t0
	stone
	la	t0, pointers
	lw	t0, 0(t0)
	lw	t0, 0(t0)
	lw	t0, 4(t0)
	mul	t0, t0, a2
	stone
	sw	t0, 20(s0)

	/* Misaligned: within a word, across words, halves across words; loads and stores mixed. */
	sw	a3, 25(s0)
	stone
	lw	t0, 25(s0)
	mix	t0
	sh	a2, 31(s0)
	lhu	t0, 31(s0)
	lh	t2, 33(s0)
	stone
	mix	t0
	sw	a1, 34(s0)
	sw	a2, 39(s0)
	stone
	lw	t0, 37(s0)
	lw	t2, 30(s0)
	mix	t2
	mix	t0

	/* Branches: not taken forwards, taken forwards, a short backward loop, taken on a fresh load. */
	beq	a1, a2, .Lnever
	bne	a1, a2, 1f
	mix	a1
1:	bltu	a1, zero, .Lnever
	stone
	bgeu	a1, zero, 2f
	.option	push
	.option	norvc
	addi	a5, a5, 1
	stone
	.option	pop
2:	li	t0, 3
3:	addi	a5, a5, 77
	addi	t0, t0, -1
	stone
	bnez	t0, 3b
	lw	t0, 4(s0)
	bnez	t0, 4f
	mix	a2
4:	blt	zero, zero, .Lnever
	stone
	bge	t1, zero, 5f
	ebreak
5:
	/* Multiplies and divides: independent, dependent on each other, by a loaded value, by zero. */
	mul	a1, a1, a5
	mulhu	a2, a1, a5
	stone
	mulh	t0, a1, a4
	mulhsu	t2, a4, a1
	mul	a3, t0, t2
	mix	a3
	divu	t0, a1, t1
	stone
	mix	t0
	rem	t2, a4, a5
	lw	t0, 8(s0)
	div	t0, t0, t1
	remu	a4, a2, t0
	mix	a4
	div	t0, a1, zero
	stone
	mix	t0
	addi	t1, t1, 6

	/* Jumps, calls and returns; the return address goes through memory once. */
	j	6f
	ebreak
7:	jal	.Lleaf
	j	8f
6:	j	7b
8:	la	t0, .Lleaf
	stone
	jalr	t0
	call	.Lnested
	stone

	/* CSRs: reads, swaps there and back, set and clear without a change, immediate forms. */
#ifdef USER
	li	t0, 1
	mix	t0
	csrr	t0, CSR_CYCLE
	mix	a1
	csrr	t2, CSR_INSTRET
	li	t0, MSTATUS_MIE
	mix	t0
	li	t2, 5
	csrr	t0, CSR_CYCLEH
	mix	t2
	li	t0, 0
	csrr	t2, CSR_CYCLE
	mix	t0
	fence
#else
	csrr	t0, CSR_XTVEC
	stone
	andi	t0, t0, 1			/* bit 0 alone (vectored or CLIC): the other fields differ */
	mix	t0
	csrrw	t0, CSR_XSCRATCH, a1
	csrrw	t2, CSR_XSCRATCH, t0
	mix	t2
	csrrsi	t0, CSR_XSTATUS, XSTATUS_XIE
	andi	t0, t0, XSTATUS_XIE
#ifdef TRAPEZE_USER
	slli	t0, t0, MSTATUS_MIE_SHIFT	/* to the place of machine mode's MIE */
#endif
	mix	t0
	csrrci	t0, SETTING, 0
	stone
	csrwi	SETTING, 5
	csrr	t2, SETTING
	csrw	SETTING, t0
	mix	t2
	csrr	t0, ZERO
	csrr	t2, COUNTER
	mix	t0
	fence
	stone
#endif

	/* Bit manipulation, with 16-bit and 32-bit instructions at both alignments. */
	sh2add	t0, a1, a2
	c.addi	t0, 1
	stone
	clz	t2, a1
	c.add	t0, t2
	stone
	cpop	t2, a2
	c.nop
	stone
	.option push
	.option arch, +zbs			/* the compiler's -march does not include Zbs */
	bext	t2, a3, t2
	.option pop
	stone
	max	a4, a4, t0
	rev8	a5, a5
	orc.b	t2, a4
	stone
	mix	t2
	mix	a5

	/* The loaded value is the loop's next input. */
	lw	a2, 20(s0)
	stone
	addi	s1, s1, -1
	bnez	s1, .Lloop

	background_end 0

.Lnever:
	ebreak

.Lleaf:
	addi	a5, a5, 3
	stone
	ret

.Lnested:
	addi	sp, sp, -16
	sw	ra, 12(sp)
	call	.Lleaf
	stone
	lw	ra, 12(sp)
	addi	sp, sp, 16
	ret
	.size	background, . - background

	background_data
pointers:
	.word	chain
chain:
	.word	value, 0
value:
	.word	0, 0x2545f491
