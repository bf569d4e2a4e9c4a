/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * An interrupted program (background.inc) of atomic operations: AMOs in a row; AMOs directly before loads and stores of
 * the same half of the bank and of the other half, with their results used at once; loops of lr.w and sc.w, which an
 * interrupt sends back to their beginning; divisions in between.
 */
#include "background.inc"

	.option	arch, +a

/* Adds to a word by lr.w and sc.w, and repeats them until they succeed. */
	.macro	add_by_loop address, value
7:	lr.w	t0, (\address)
	add	t0, t0, \value
	sc.w	t2, t0, (\address)
	bnez	t2, 7b
	mix	t0
	.endm

	background_begin
.Lloop:
	amoadd.w t0, a1, (s0)
	amoadd.w t2, a2, (s0)
	mix	t0
	mix	t2
	amoswap.w t0, a1, (s0)
	lw	t2, 0(s0)
	mix	t0
	mix	t2
	amoxor.w t0, a2, (s0)
	lw	t2, 4(s0)
	mix	t0
	mix	t2
	amoor.w	a3, a5, (s0)
	sw	a3, 8(s0)
	amoand.w a3, a4, (s0)
	sw	a3, 5(s0)
	addi	t0, s0, 4
	amomin.w t2, a1, (t0)
	mix	t2
	amomaxu.w t2, a2, (t0)
	divu	t2, t2, t1
	mix	t2
	add_by_loop s0, a1
	addi	a3, s0, 12
	add_by_loop a3, a5
	lr.w	t0, (s0)
	lw	t2, 8(s0)
	mix	t0
	mix	t2
	sw	a1, 16(s0)
	amoadd.w.aqrl t0, a5, (a3)
	j	1f
	ebreak
1:	amoadd.w zero, a1, (s0)
	mix	t0
	lw	a3, 20(s0)
	addi	t1, t1, 6
	addi	s1, s1, -1
	bnez	s1, .Lloop
	li	t2, 0

	background_end 0x0b169e01
	.size	background, . - background

	background_data
