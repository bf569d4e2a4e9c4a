/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * litmus_wait: waits exactly until mcycle, which all harts count alike, is a0. For that it jumps into a row of nops, as
 * many instructions before its end as cycles are left. Afterwards t1 is 0, or 1 if a0 was already past. Returns to t0;
 * changes t1 and t2.
 */
#include <trapeze/csr.h>

#define SLED 512 /* more cycles than the preparation of any thread takes */

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
