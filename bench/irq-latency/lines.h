/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The platform lines of the experiments (lines.c).
 */
#ifndef LINES_H_
#define LINES_H_

#include <stdint.h>

/** Connects and enables all platform lines, and enables interrupts. */
void lines_setup(void);

#ifdef INNERMOST
/** Not 0 if a handler of outer.S went wrong. */
extern volatile uint32_t outer_wrong;
#endif

/** Whether a handler has seen a wrong value. */
static inline uint32_t lines_wrong(void)
{
#ifdef INNERMOST
	return outer_wrong;
#else
	return 0U;
#endif
}

#endif /* LINES_H_ */
