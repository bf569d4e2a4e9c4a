/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * fastirq's handler in assembly. Marker 1 is its first instruction, marker 5 stands directly before emret. It
 * overwrites the caller-saved registers, which the core has saved. One routine serves all platform lines.
 */
#include <trapeze/irq_fast.h>
#include <trapeze/marker.h>

	TRAPEZE_IRQ_FAST_HANDLER bare_handler
	TRAPEZE_MARKER(TRAPEZE_MARKER_HANDLER)
	lw	a1, interrupt_count
	addi	a1, a1, 1
	sw	a1, interrupt_count, a2
	.irp	reg, ra, t0, t1, t2, a0, a1, a2, a3, a4, a5
	li	\reg, -1
	.endr
#ifndef __riscv_32e
	.irp	reg, a6, a7, t3, t4, t5, t6
	li	\reg, -1
	.endr
#endif
	TRAPEZE_MARKER(TRAPEZE_MARKER_HANDLER_END)
	TRAPEZE_IRQ_FAST_HANDLER_END

	.irp	n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	.globl	__irq_vector_\n
	.set	__irq_vector_\n, bare_handler
	.endr

	.section .sdata.interrupt_count, "aw", @progbits
	.balign	4
	.globl	interrupt_count
	.type	interrupt_count, @object
interrupt_count:
	.word	0
	.size	interrupt_count, 4
