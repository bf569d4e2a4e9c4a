/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * void wait_until(uint32_t cycle): returns a fixed number of cycles after the counter of cycles has reached `cycle`,
 * with zero-wait memory. USER, TRAPEZE_USER: in user mode, as background.S says. The loop takes two cycles a round; one
 * that it ran too far is left out behind it. It must be called 80 cycles before that at the latest.
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
