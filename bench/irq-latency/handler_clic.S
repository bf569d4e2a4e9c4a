/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The vectored handler that may call C functions and may be preempted by higher levels, after the CV32RT paper's Figure
 * 5(b): all caller-saved registers, mepc and mcause on the stack, interrupts enabled; then marker 1 and a C function.
 * It has 22 instructions with ilp32, 16 with ilp32e, and none of them waits for the one before. One routine serves all
 * platform lines, because nothing in it depends on the line.
 */
#include <trapeze/irq_nest.h>
#include <trapeze/marker.h>

	.section .text.irq.latency, "ax", @progbits
	.balign	4
	.type	vectored_handler, @function
vectored_handler:
	TRAPEZE_IRQ_ENTER
	TRAPEZE_MARKER(TRAPEZE_MARKER_HANDLER)
	call	interrupt_service
	TRAPEZE_IRQ_LEAVE
	.size	vectored_handler, . - vectored_handler

	.irp	n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	.globl	__irq_vector_\n
	.set	__irq_vector_\n, vectored_handler
	.endr
