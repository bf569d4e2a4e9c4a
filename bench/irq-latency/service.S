/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The handlers' C part, void interrupt_service(void). It overwrites every caller-saved register, as any C function may,
 * so that a register missing in the frame changes the interrupted program's result. Marker 5 is its last instruction
 * before it returns. With HANDLER_IS_FUNCTION its first instruction is marker 1. With HANDLER_ENDS_IN_EURET it ends
 * with euret itself, instead of returning to one.
 */
#include <trapeze/marker.h>

	.section .text.interrupt_service, "ax", @progbits
	.balign	4
	.globl	interrupt_service
	.type	interrupt_service, @function
interrupt_service:
#ifdef HANDLER_IS_FUNCTION
	TRAPEZE_MARKER(TRAPEZE_MARKER_HANDLER)
#endif
	lw	a1, interrupt_count
	addi	a1, a1, 1
	sw	a1, interrupt_count, a2
	li	t0, -1
	li	t1, -1
	li	t2, -1
	li	a0, -1
	li	a1, -1
	li	a2, -1
	li	a3, -1
	li	a4, -1
	li	a5, -1
#ifndef __riscv_32e
	li	a6, -1
	li	a7, -1
	li	t3, -1
	li	t4, -1
	li	t5, -1
	li	t6, -1
#endif
#ifdef HANDLER_ENDS_IN_EURET
	.option	push
	.option	norvc
	TRAPEZE_MARKER(TRAPEZE_MARKER_HANDLER_END)
	TRAPEZE_EURET
	.option	pop
#else
	TRAPEZE_MARKER(TRAPEZE_MARKER_HANDLER_END)
	ret
#endif
	.size	interrupt_service, . - interrupt_service

#include "interrupt_count.inc"
