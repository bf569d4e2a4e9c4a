/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * uint32_t background(void) of the stress: between markers 2 and 3 it only accesses shared memory, by loads, stores and
 * atomic operations, back to back, so that the other hart's posts meet these accesses.
 */
#include "../irq-latency/background.inc"

	background_begin
	la	t0, shared_words
	.irp	offset, 0, 4, 8, 12
	sw	zero, \offset(t0)
	.endr
	li	t1, 40
1:	lw	a1, 12(t0)
	sw	a2, 4(t0)
	sw	a3, 8(t0)
	stone
	lw	a4, 4(t0)
	amoadd.w a5, a1, (t0)
	lw	a1, 0(t0)
	stone
	amoswap.w a2, a4, (t0)
	sw	a4, 0(t0)
	addi	t1, t1, -1
	stone
	bnez	t1, 1b
	la	ra, shared_words
	sub	t0, t0, ra			/* an offset: the checksum must not depend on addresses */
	background_end 0x26f75ae7

	background_data

	.section .bss.tz_shared.shared_words, "aw", @nobits
	.balign	64
shared_words:
	.zero	16
