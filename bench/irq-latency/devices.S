/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * An interrupted program (background.inc) that accesses a device: loads and stores in a row, alone, and with other
 * instructions in between. DEVICE chooses it:
 *
 * UART    line status, interrupt identification, scratch register
 * CLINT   mtimecmp
 * CLIC    sources that are not the line's
 * PROBE   the random data generator of the latency measurement
 *
 * Values that it reads are constant or are not used.
 */
#include <trapeze/map.h>

#include <trapeze/clic.h>
#include <trapeze/clint.h>
#include <trapeze/random.h>
#include <trapeze/uart.h>

#include "background.inc"

#define UART  1
#define CLINT 2
#define CLIC  3
#define PROBE 4

/* The first register is read and written, the others are only read. */
#if DEVICE == UART
#define LOAD   lbu
#define STORE  sb
#define BASE   TRAPEZE_UART_BASE
#define FIRST  TRAPEZE_UART_SCR_OFFSET
#define SECOND TRAPEZE_UART_LSR_OFFSET
#define THIRD  TRAPEZE_UART_IIR_OFFSET
#elif DEVICE == CLINT
#define LOAD   lw
#define STORE  sw
#define BASE   (TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIMECMP_LO_OFFSET)
#define FIRST  (TRAPEZE_CLINT_MTIMECMP_LO_OFFSET - TRAPEZE_CLINT_MTIMECMP_LO_OFFSET)
#define SECOND (TRAPEZE_CLINT_MTIMECMP_HI_OFFSET - TRAPEZE_CLINT_MTIMECMP_LO_OFFSET)
#define THIRD  SECOND
#elif DEVICE == CLIC
#define LOAD   lw
#define STORE  sw
#define BASE   (TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET)
#define FIRST  (4 * IRQ_PLATFORM(1))
#define SECOND (4 * IRQ_PLATFORM(0))
#define THIRD  (4 * IRQ_PLATFORM(2))
#elif DEVICE == PROBE
#define LOAD   lw
#define STORE  sw
#define BASE   TRAPEZE_PROBE_RANDOM_BASE
#define FIRST  TRAPEZE_RANDOM_SEED_OFFSET
#define SECOND TRAPEZE_RANDOM_STATUS_OFFSET
#define THIRD  TRAPEZE_RANDOM_CONTROL_OFFSET
#else
#error "DEVICE is UART, CLINT, CLIC or PROBE"
#endif

	background_begin
	li	a4, BASE
	LOAD	a3, FIRST(a4)
.Lloop:
	LOAD	t0, FIRST(a4)
	LOAD	t0, SECOND(a4)
	LOAD	t0, THIRD(a4)
	mix	a1
	LOAD	t0, SECOND(a4)
	sub	t0, t0, t0
	mix	t0
	STORE	a3, FIRST(a4)
	STORE	a3, FIRST(a4)
	LOAD	t0, FIRST(a4)
	sub	t0, t0, a3
	mix	t0
	sw	a1, 0(s0)
	STORE	a3, FIRST(a4)
	lw	t0, 0(s0)
	mix	t0
	LOAD	t0, THIRD(a4)
	divu	t0, a1, t1
	LOAD	t2, FIRST(a4)
	sub	t2, t2, a3
	bnez	t2, .Lnever
	mix	t0
	STORE	a3, FIRST(a4)
	j	1f
	ebreak
1:	LOAD	t0, FIRST(a4)
	sw	a1, 5(s0)
	STORE	a3, FIRST(a4)
	lw	t0, 3(s0)
	mix	t0
	LOAD	t0, SECOND(a4)
	LOAD	t0, SECOND(a4)
	addi	t1, t1, 6
	addi	s1, s1, -1
	bnez	s1, .Lloop
	li	t0, 0
	li	a3, 0
	li	a4, 0

	background_end 0xccd96026, 0x5866ccda
.Lnever:
	ebreak
	.size	background, . - background

	background_data
