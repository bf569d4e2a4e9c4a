/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * An interrupted program (background.inc) with 32-bit instructions at half-word addresses, which take two fetches, as
 * targets of all kinds of jumps: jal, jalr, calls, returns, branches forwards and backwards, taken and not taken.
 * Behind the targets stand further such instructions, loads, stores and divisions.
 */
#include "background.inc"

/* Behind this 16-bit instruction comes a 32-bit one at a half-word address. */
	.macro	half_word filling
	.option	rvc
	.balign	4
	\filling
	.option	norvc
	.endm

	background_begin
	.option	norvc
	half_word c.nop
.Lloop:	add	a1, a1, a2
	mix	a1

	/* Jumps, with 16-bit and with 32-bit instructions in front of their targets. */
	j	1f
	half_word c.ebreak
1:	xori	a2, a2, 0x155
	j	2f
	half_word c.ebreak
2:	lw	t0, 0(s0)
	mix	t0
	la	t0, 3f
	jr	t0
	half_word c.ebreak
3:	sw	a1, 0(s0)
	j	4f
	half_word c.ebreak
4:	j	5f
	half_word c.ebreak
5:	j	6f
	half_word c.ebreak
6:	divu	t0, a1, t1
	mix	t0

	/* Calls: the leaf begins at a half-word address, and so does the code that it returns to. */
	half_word c.nop
	jal	.Lleaf
	addi	a4, a4, 5
	la	t0, .Lleaf
	half_word c.nop
	jalr	t0
	sw	a4, 5(s0)
	half_word c.nop
	jal	.Lleaf
	jal	.Lleaf
	mul	a4, a4, a5

	/* Branches taken forwards, over 16-bit and over 32-bit instructions, with and without a fresh load. */
	bne	a1, zero, 7f
	half_word c.ebreak
7:	addi	a5, a5, 77
	lw	t0, 0(s0)
	bnez	t0, 8f
	half_word c.ebreak
8:	beq	zero, zero, 9f
	half_word c.ebreak
9:	lw	t0, 2(s0)
	mix	t0

	/* Not taken: the next instruction is at a half-word address. */
	half_word c.nop
	beq	a1, zero, .Lnever
	bltu	a1, zero, .Lnever
	mix	a5

	/* Backwards: taken and not. */
	li	t0, 3
	half_word c.nop
1:	addi	t0, t0, -1
	add	a5, a5, a1
	bnez	t0, 1b
	mix	a5
	li	t0, 2
	half_word c.nop
2:	sw	a5, 7(s0)
	addi	t0, t0, -1
	half_word c.nop
	bnez	t0, 2b
	rem	t0, a5, t1
	mix	t0
	addi	t1, t1, 6
	addi	s1, s1, -1
	bnez	s1, .Lloop

	.option	rvc
	background_end 0xea37dee9, 0xde29e9b8
	.option	norvc

	half_word c.nop
.Lleaf:	addi	a3, a3, 3
	ret
.Lnever:
	ebreak
	.size	background, . - background

	background_data
