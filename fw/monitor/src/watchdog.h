/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Monitor, all schemes but `emulate`: the watchdog. For C and assembly.
 *
 * Timer 0 of the latency measurement starts the random data generator when its period is over, and that raises its platform
 * line PROBE_CYCLES later, until it is acknowledged. The line's source is machine mode's, at the highest level. Once the watchdog
 * is on, rows of memory protection keep the program from timers, generator and stress generator (which could slow the monitor
 * down), and from the word of the source in the interrupt controller.
 */
#ifndef MONITOR_WATCHDOG_H_
#define MONITOR_WATCHDOG_H_

#include <trapeze/clic.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>

/* The line of the generator (hw/soc): 15, or the last one of fewer. */
#if TRAPEZE_IRQ_LINES < 16
#define MONITOR_WATCHDOG_SOURCE (TRAPEZE_IRQ_LINE_BASE + TRAPEZE_IRQ_LINES - 1)
#else
#define MONITOR_WATCHDOG_SOURCE (TRAPEZE_IRQ_LINE_BASE + 15)
#endif

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

/* All four registers of the source. */
#define MONITOR_WATCHDOG_WORD                                                                      \
	(TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET +                                          \
	 MONITOR_WATCHDOG_SOURCE * TRAPEZE_CLIC_IRQ_IP_STRIDE)

/* Generator, timers, stress generator, and a window in which nothing is: one row. */
#define MONITOR_WATCHDOG_DEVICES      TRAPEZE_PROBE_RANDOM_BASE
#define MONITOR_WATCHDOG_DEVICES_SIZE 0x4000U
_Static_assert(MONITOR_WATCHDOG_DEVICES % MONITOR_WATCHDOG_DEVICES_SIZE == 0U, "one row");
_Static_assert(TRAPEZE_PROBE_TIMER_BASE - MONITOR_WATCHDOG_DEVICES < MONITOR_WATCHDOG_DEVICES_SIZE,
	       "in the row");
_Static_assert(TRAPEZE_PROBE_STRESS_BASE - MONITOR_WATCHDOG_DEVICES < MONITOR_WATCHDOG_DEVICES_SIZE,
	       "in the row");

/** At the program's start: on if the build says so, else off. Writes the rows in any case. */
void watchdog_init(void);

/**
 * A call of the program: begins to watch it. Once on, neither this nor anything else of the program changes the period.
 *
 * @param cycles period, at least MONITOR_WATCHDOG_LEAST
 * @return 1; or 0 if nothing has changed: it is on already, the period is too short, or the program uses the source
 */
uint32_t watchdog_start(uint32_t cycles);

/** A call of the program: it is alive. */
void watchdog_kick(void);

/** For tests: takes back that it has come, and begins anew. */
void watchdog_again(void);

/** Of the scheme, for tests: the program goes on with interrupts disabled. */
void monitor_disable(void);

/** Of the scheme: whether the program has left the watchdog's source alone so far. */
bool watchdog_free(void);

#endif /* __ASSEMBLER__ */

#endif /* MONITOR_WATCHDOG_H_ */
