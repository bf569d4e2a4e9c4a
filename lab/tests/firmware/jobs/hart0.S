/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Hart 0 where Linux would be: waits until hart 1 has written a word behind the ring, which is the exit code of the run. In
 * the word before hart 1 may write an address, to which this hart then stores 1 all the time. Or it has this hart store three
 * values so many instructions later, less 1 (windows.c).
 */
#include <trapeze/host.h>
#include <trapeze/map.h>

	.section .text
	.globl	_start
_start:
	li	s0, TRAPEZE_RING_BASE + TRAPEZE_RING_SIZE - 8
	li	t2, 1
poll:	lw	t1, -8(s0)
	beqz	t1, 2f
	sw	t2, 0(t1)
2:	lw	t3, -16(s0)
	bnez	t3, 4f
	lw	a0, 0(s0)
	beqz	a0, poll
	li	t0, TRAPEZE_HOST_BASE + TRAPEZE_HOST_FINISHER_OFFSET
	sw	a0, 0(t0)
3:	j	3b

	.macro	store_later at
	lwu	t1, \at(s0)
	lw	t4, (\at + 4)(s0)
	beqz	t1, 1f
	sw	t4, 0(t1)
1:	fence	w, ow
	.endm
4:	addi	t3, t3, -1
	andi	t4, t3, 1
	beqz	t4, 5f
	nop
5:	srli	t3, t3, 1
6:	addi	t3, t3, -1
	bgez	t3, 6b
	store_later -40
	store_later -32
	store_later -24
	sw	zero, -16(s0)
	j	poll
