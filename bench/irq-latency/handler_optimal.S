/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The shortest useful handlers: they save one register, then marker 1. From there on inlined work can begin, and it
 * saves further registers as it needs them. The handlers do not nest. With interrupts disabled no other code uses the
 * memory below sp (exceptions have a stack of their own), so the register is stored there without moving sp.
 */
#include <trapeze/csr.h>
#include <trapeze/marker.h>

	.section .text.irq.latency, "ax", @progbits

	.macro	platform_handler irq
	.balign	4
	.globl	__irq_vector_\irq
	.type	__irq_vector_\irq, @function
__irq_vector_\irq:
	sw	t0, -16(sp)
	TRAPEZE_MARKER(TRAPEZE_MARKER_HANDLER)
	sw	t1, -12(sp)
	la	t0, interrupt_count
	lw	t1, 0(t0)
	addi	t1, t1, 1
	sw	t1, 0(t0)
	lw	t1, -12(sp)
	lw	t0, -16(sp)
	mret
	.size	__irq_vector_\irq, . - __irq_vector_\irq
	.endm

	.altmacro
	.set	irq, 16
	.rept	16
	platform_handler %irq
	.set	irq, irq + 1
	.endr
	.noaltmacro

#include "interrupt_count.inc"
