/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Monitor, all schemes but `emulate`: the watchdog. For C and assembly.
 *
 * When its period is over, timer 0 of the latency measurement starts the random data generator. PROBE_CYCLES later the
 * generator raises its platform line, until it is acknowledged. The line's source is machine mode's, at the highest
 * level. Once the watchdog is on, rows of memory protection close timers, generator and stress generator (which could
 * slow the monitor down), and the word of the source in the interrupt controller.
 */
#ifndef MONITOR_WATCHDOG_H_
#define MONITOR_WATCHDOG_H_

#include <trapeze/clic.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>

/* Source of the generator's platform line (hw/soc): line 15, or the last line if there are fewer than 16. */
#if TRAPEZE_IRQ_LINES < 16
#define MONITOR_WATCHDOG_SOURCE (TRAPEZE_IRQ_LINE_BASE + TRAPEZE_IRQ_LINES - 1)
#else
#define MONITOR_WATCHDOG_SOURCE (TRAPEZE_IRQ_LINE_BASE + 15)
#endif

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

/* The word of the source's four registers. */
#define MONITOR_WATCHDOG_WORD                                                                      \
	(TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET +                                          \
	 MONITOR_WATCHDOG_SOURCE * TRAPEZE_CLIC_IRQ_IP_STRIDE)

/* One row closes generator, timers, stress generator and an empty window. */
#define MONITOR_WATCHDOG_DEVICES      TRAPEZE_PROBE_RANDOM_BASE
#define MONITOR_WATCHDOG_DEVICES_SIZE 0x4000U
_Static_assert(MONITOR_WATCHDOG_DEVICES % MONITOR_WATCHDOG_DEVICES_SIZE == 0U, "one row");
_Static_assert(TRAPEZE_PROBE_TIMER_BASE - MONITOR_WATCHDOG_DEVICES < MONITOR_WATCHDOG_DEVICES_SIZE,
	       "in the row");
_Static_assert(TRAPEZE_PROBE_STRESS_BASE - MONITOR_WATCHDOG_DEVICES < MONITOR_WATCHDOG_DEVICES_SIZE,
	       "in the row");

/**
 * At the program's start: turns the watchdog on if the build asks for it, otherwise off. Writes the rows in any case.
 */
void watchdog_init(void);

/**
 * A call of the program: turns the watchdog on. After that no call and no access of the program changes the period.
 *
 * @param cycles period, at least MONITOR_WATCHDOG_LEAST
 * @return 1; or 0 if nothing has changed: the watchdog is already on, the period is too short, or the program uses the
 * source
 */
uint32_t watchdog_start(uint32_t cycles);

/** A call of the program: begins the period anew. */
void watchdog_kick(void);

/** For tests: clears an interrupt of the watchdog, and begins the period anew. */
void watchdog_again(void);

/** Defined by the scheme, for tests: the program goes on with interrupts disabled. */
void monitor_disable(void);

/** Defined by the scheme: whether the program has not used the watchdog's source so far. */
bool watchdog_free(void);

#endif /* __ASSEMBLER__ */

#endif /* MONITOR_WATCHDOG_H_ */
