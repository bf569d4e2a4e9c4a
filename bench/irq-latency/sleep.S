/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * An interrupted program (background.inc) that waits in wfi until the timer of sleep.c wakes it. The timer's level is
 * below the line's, so the interrupt comes before the program sleeps, while it sleeps, when it wakes, and inside of the
 * timer's handler.
 */
#include "background.inc"

	background_begin
	sw	a1, 0(s0)
	lw	t0, 0(s0)
	mix	t0
	divu	t0, a1, t1
	mix	t0
	sw	a1, 5(s0)
	wfi
	lw	t0, 3(s0)
	mix	t0
	div	t0, a2, t1
	mix	t0
	beqz	zero, 1f
	ebreak
1:	mix	a1
	mul	a1, a1, a5

	background_end 0x2149b0c0, 0xb0c0214a
	.size	background, . - background

	background_data
