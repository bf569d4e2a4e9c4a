/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief What the scenarios of both controllers share: a log of what the handlers did.
 */
#ifndef SCENARIOS_H_
#define SCENARIOS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trapeze/abi.h>

/** A scenario: plays a situation and says whether the controller did what its name says. */
struct scenario {
	const char *name;
	bool (*play)(void);
};

/** All scenarios of the controller this is built for, ended by a NULL name. */
extern const struct scenario scenarios[];

/** Logged when a handler ends, beside its own number. */
#define LOG_END 0x100U

/** Numbers that handlers logged, and how many. */
extern volatile uint32_t log_events[16];
extern volatile uint32_t log_count;

/** Logs a number. */
void log_event(uint32_t event);

/** Forgets the log. */
void log_clear(void);

/** Whether the log is exactly this. */
bool log_is(const uint32_t *events, size_t count);

/** Whether the log is exactly the arguments. */
#define LOG_IS(...)                                                                                \
	log_is((const uint32_t[]){__VA_ARGS__},                                                    \
	       sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/** A few cycles, in which a pending interrupt is taken if it is at all. */
static inline void settle(void)
{
	__asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop" : : : "memory");
}

/** Runs @p function in user mode, interrupts of machine mode being disabled globally. */
void user_call(void (*function)(void));

/** Entries into interrupts, counted by the entries of this folder's assembly sources. */
extern volatile uint32_t entry_count;

#endif /* SCENARIOS_H_ */
