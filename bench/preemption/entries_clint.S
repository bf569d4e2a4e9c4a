/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Vectors of the software interrupt and of the timer interrupt that count in entry_count and then continue as the HAL's
 * do.
 */
#include "count.inc"

	.section .text.irq.counting, "ax", @progbits
	.irp	n, 3, 7
	.globl	__irq_vector_\n
	.type	__irq_vector_\n, @function
__irq_vector_\n:
	count
	go_on	__irq_entry
	.size	__irq_vector_\n, . - __irq_vector_\n
	.endr
