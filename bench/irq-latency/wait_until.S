/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * void wait_until(uint32_t cycle): returns a fixed number of cycles after the cycle counter has reached `cycle`, with
 * zero-wait memory. USER, TRAPEZE_USER: in user mode, as in background.S. A round of the loop takes two cycles. If the
 * distance is odd, one instruction behind the loop is skipped. Call it at least 80 cycles before `cycle`.
 */
#include <trapeze/csr.h>

#if defined(USER) || defined(TRAPEZE_USER)
#define COUNTER CSR_CYCLE
#else
#define COUNTER CSR_MCYCLE
#endif

	.section .text.wait_until, "ax", @progbits
	.balign	4
	.globl	wait_until
	.type	wait_until, @function
wait_until:
	la	t1, 2f
	csrr	t0, COUNTER
	sub	t0, a0, t0
	addi	t0, t0, -64
	blez	t0, 3f
1:	addi	t0, t0, -2
	bgtz	t0, 1b
	/* t0 is 0, or -1 if the distance was odd: skip the nop. */
	sub	t1, t1, t0
	sub	t1, t1, t0
	jr	t1
	.balign	4
2:	c.nop
	ret
3:	ebreak				/* too late */
	.size	wait_until, . - wait_until
