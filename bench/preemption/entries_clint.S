/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Vectors of the software and the timer interrupt that count themselves in entry_count and go on as the HAL's.
 */
	.section .text.irq.counting, "ax", @progbits
	.irp	n, 3, 7
	.globl	__irq_vector_\n
	.type	__irq_vector_\n, @function
__irq_vector_\n:
	addi	sp, sp, -16
	sw	t0, 0(sp)
	sw	t1, 4(sp)
	la	t0, entry_count
	lw	t1, 0(t0)
	addi	t1, t1, 1
	sw	t1, 0(t0)
	lw	t0, 0(sp)
	lw	t1, 4(sp)
	addi	sp, sp, 16
	j	__irq_entry
	.size	__irq_vector_\n, . - __irq_vector_\n
	.endr
