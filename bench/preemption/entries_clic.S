/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Entries that count in entry_count and then continue as the HAL's entries do. The one for late arrivals also makes an
 * interrupt pending: it writes 1 to the byte that late_register points to.
 */
#include <trapeze/csr.h>

#include "count.inc"

	.macro	entry name then
	.balign	64
	.globl	\name
	.type	\name, @function
\name:
	count
	go_on	\then
	.size	\name, . - \name
	.endm

	.section .text.irq.counting, "ax", @progbits
	entry	counting_xnxti __irq_entry_xnxti
	entry	counting_jalxnxti __irq_entry_jalxnxti
	entry	counting_vector __irq_entry

	.balign	64
	.globl	counting_late
	.type	counting_late, @function
counting_late:
	count
	lw	t0, late_register
	li	t1, 1
	sb	t1, 0(t0)
	lb	t1, 0(t0)
	go_on	__irq_entry_xnxti
	.size	counting_late, . - counting_late
