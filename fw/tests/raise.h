/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * For tests in assembly: makes an interrupt of the CLIC pending, and waits until it has been taken.
 */
#ifndef RAISE_H_
#define RAISE_H_

#include <trapeze/clic.h>
#include <trapeze/map.h>

/* clang-format off */

/* Pending, enabled and edge-triggered, level 255; the attributes of a source are in bits 23:16. */
#define VECTORED 0xff030101
#define DIRECT   0xff020101

#define SOURCE(n) (TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 4 * (n))

/* Changes t0 and t1. */
	.macro	raise irq, how=VECTORED
	li	t0, SOURCE(\irq)
	li	t1, \how
	sw	t1, 0(t0)
	lw	t1, 0(t0)
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	.endm

/* clang-format on */

#endif /* RAISE_H_ */
