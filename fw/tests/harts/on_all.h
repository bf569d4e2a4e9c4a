/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Runs a function on every hart.
 */
#ifndef TRAPEZE_ON_ALL_H_
#define TRAPEZE_ON_ALL_H_

#include <trapeze/hart.h>

#include "test.h"

/** Runs @p function on all harts at once. Returns when the function has returned on this hart. */
static inline void run_on_all(void (*function)(void *arg))
{
	for (unsigned int hart = 1U; hart < TRAPEZE_HARTS; hart++) {
		CHECK_EQ(hart_start(hart, function, NULL), 0);
	}
	function(NULL);
}

#endif /* TRAPEZE_ON_ALL_H_ */
