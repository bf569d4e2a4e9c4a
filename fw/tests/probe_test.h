/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief For the tests of the latency measurement: its registers, its interrupt, its random words.
 */
#ifndef TRAPEZE_PROBE_TEST_H_
#define TRAPEZE_PROBE_TEST_H_

#include <stdint.h>

#include <trapeze/irq.h>
#include <trapeze/map.h>
#include <trapeze/probe.h>
#include <trapeze/random.h>
#include <trapeze/stress.h>
#include <trapeze/timers.h>

#include "test.h"

/** Platform line of "data ready": the 16th line, or the last one if there are fewer. */
#define PROBE_IRQ IRQ_PLATFORM(TRAPEZE_IRQ_LINES < 16 ? TRAPEZE_IRQ_LINES - 1 : 15)

/** Parameters of the SoC: words of a block, and clocks from the timer to data ready. */
#define PROBE_WORDS  16U
#define PROBE_CYCLES 32U

/** A register of timer 0, and of the other blocks. */
#define TIMER(name)    (TRAPEZE_PROBE_TIMER_BASE + TRAPEZE_TIMERS_CHANNEL_##name##_OFFSET)
#define RANDOM(name)   (TRAPEZE_PROBE_RANDOM_BASE + TRAPEZE_RANDOM_##name##_OFFSET)
#define PROBE(n, name) (TRAPEZE_PROBE_REGS##n##_BASE + TRAPEZE_PROBE_##name##_OFFSET)
#define STRESS(name)   (TRAPEZE_PROBE_STRESS_BASE + TRAPEZE_STRESS_##name##_OFFSET)

/** Reads a register. */
static inline uint32_t get(uint32_t address)
{
	return *(volatile uint32_t *)address;
}

/** Writes a register. */
static inline void put(uint32_t address, uint32_t value)
{
	*(volatile uint32_t *)address = value;
}

/** Number of latencies, from the value of a probe's control register. */
static inline uint32_t probe_num(uint32_t control)
{
	return (control & TRAPEZE_PROBE_CONTROL_NUM_MASK) >> TRAPEZE_PROBE_CONTROL_NUM_SHIFT;
}

/** Number of missed interrupts, from the same register. */
static inline uint32_t probe_missed(uint32_t control)
{
	return (control & TRAPEZE_PROBE_CONTROL_MISSED_MASK) >> TRAPEZE_PROBE_CONTROL_MISSED_SHIFT;
}

/** The word that follows @p state in the generator's sequence. */
static inline uint32_t probe_next_word(uint32_t state)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

#endif /* TRAPEZE_PROBE_TEST_H_ */
