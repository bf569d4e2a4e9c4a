/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Vectors of the software and the timer interrupt that count themselves in entry_count and go on as the HAL's.
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
