/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * litmus_wait: waits until mcycle, which counts alike on all harts, is a0, to the cycle. It jumps into a row of nops, as far
 * in front of its end as cycles are left. t1 is 0 then, or 1 if it was too late. Returns to t0; changes t1 and t2.
 */
#include <trapeze/csr.h>

#define SLED 512 /* longer than whatever a thread does before */

	.option	norvc
	.text
	.balign	4
	.globl	litmus_wait
	.type	litmus_wait, @function
litmus_wait:
	csrr	t1, CSR_MCYCLE
	sub	t1, a0, t1
	bltz	t1, 1f
	li	t2, SLED
	bgeu	t1, t2, litmus_wait
	slli	t1, t1, 2
	la	t2, 2f
	sub	t2, t2, t1
	li	t1, 0
	jr	t2
	.rept	SLED
	nop
	.endr
2:	jr	t0
1:	li	t1, 1
	jr	t0
	.size	litmus_wait, . - litmus_wait
