/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Hart 0 where Linux would be: waits until hart 1 has written a word behind the ring, which is the exit code of the run. In
 * the word before hart 1 may write an address, to which this hart then stores 1 all the time.
 */
#include <trapeze/host.h>
#include <trapeze/map.h>

	.section .text
	.globl	_start
_start:
	li	s0, TRAPEZE_RING_BASE + TRAPEZE_RING_SIZE - 8
	li	t2, 1
1:	lw	t1, -8(s0)
	beqz	t1, 2f
	sw	t2, 0(t1)
2:	lw	a0, 0(s0)
	beqz	a0, 1b
	li	t0, TRAPEZE_HOST_BASE + TRAPEZE_HOST_FINISHER_OFFSET
	sw	a0, 0(t0)
3:	j	3b
