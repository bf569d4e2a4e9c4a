/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * void press(void): handler of the button. Its first instruction reads the cycle in which it executes. Of each press it
 * keeps two words: that cycle, and how many cycles before the interrupted program began.
 */
#include "stamps.h"

	.section .text.press, "ax", @progbits
	.balign	4
	.globl	press
	.type	press, @function
press:
	csrr	a0, mcycle
	lw	a1, press_count
	li	a3, PRESSES
	bgeu	a1, a3, 1f
	la	a2, press_stamps
	slli	a3, a1, 3
	add	a2, a2, a3
	sw	a0, 0(a2)
	lw	a3, program_began
	sub	a3, a0, a3
	sw	a3, 4(a2)
	addi	a1, a1, 1
	sw	a1, press_count, a2
1:	ret
	.size	press, . - press

	.section .bss.press, "aw", @nobits
	.balign	4
	.globl	press_count
press_count:
	.zero	4
	.globl	program_began
program_began:
	.zero	4
	.globl	press_stamps
press_stamps:
	.zero	8 * PRESSES
