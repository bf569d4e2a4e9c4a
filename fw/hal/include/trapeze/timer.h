/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Machine timer (mtime, mtimecmp) and the cycle and instruction counters.
 */
#ifndef TRAPEZE_TIMER_H_
#define TRAPEZE_TIMER_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Value of timer_frequency unless the program sets it: a nominal 100 MHz, as for FreeRTOS. */
#define TRAPEZE_TIMER_FREQUENCY 100000000U

/**
 * Ticks of mtime in a second, for clock(), time() and gettimeofday(). The simulator only has cycles, so this number is
 * a convention: a program for a clock of another frequency sets or defines it.
 */
extern uint32_t timer_frequency;

/** Time in ticks of mtime (one clock cycle each on Trapeze). */
uint64_t timer_now(void);

/** Lets the timer interrupt be pending from tick @p when on; this also ends one that is pending for
 * an earlier tick. */
void timer_set_alarm(uint64_t when);

/** Cancels the alarm: the timer interrupt is no longer pending and will not be. */
void timer_cancel_alarm(void);

/** Clock cycles, from mcycle. */
uint64_t timer_cycles(void);

/** Retired instructions, from minstret. */
uint64_t timer_instructions(void);

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_TIMER_H_ */
