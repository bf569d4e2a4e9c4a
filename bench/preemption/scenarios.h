/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Common to the scenarios of both controllers: a log of the handlers' actions.
 */
#ifndef SCENARIOS_H_
#define SCENARIOS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trapeze/abi.h>

/** A scenario: plays a situation, and returns whether the controller did what the scenario's name says. */
struct scenario {
	const char *name;
	bool (*play)(void);
};

/** All scenarios for the controller of the build, ended by a NULL name. */
extern const struct scenario scenarios[];

/** Logged when a handler ends, beside its own number. */
#define LOG_END 0x100U

/** Numbers that handlers have logged, and their count. */
extern volatile uint32_t log_events[16];
extern volatile uint32_t log_count;

/** Logs a number. */
void log_event(uint32_t event);

/** Clears the log. */
void log_clear(void);

/** Whether the log equals a list. */
bool log_is(const uint32_t *events, size_t count);

/** Whether the log equals the arguments. */
#define LOG_IS(...)                                                                                \
	log_is((const uint32_t[]){__VA_ARGS__},                                                    \
	       sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/** Waits a few cycles, in which a pending interrupt is taken if it can be taken. */
static inline void settle(void)
{
	__asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop" : : : "memory");
}

/** Runs @p function in user mode, with interrupts of machine mode globally disabled. */
void user_call(void (*function)(void));

/** Entries into interrupts, counted by the entries in this folder's assembly sources. */
extern volatile uint32_t entry_count;

#endif /* SCENARIOS_H_ */
