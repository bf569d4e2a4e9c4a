/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Five tasks of the same priority. Each counts and gives the processor to the next. One event is a count. A task that
 * the measurement preempts loses its turn, because FreeRTOS then goes on with the next task of its priority.
 */
#include "throughput.h"

const struct test test = {.used = 5U, .events = 5U, .apart = 2U};

static void task(void *arg)
{
	volatile uint32_t *counter = &counters[(uint32_t)arg];

	for (;;) {
		taskYIELD();
		*counter += 1U;
	}
}

void test_prepare(void)
{
	for (uint32_t i = 0U; i < test.used; i++) {
		(void)test_task(task, i, LOWEST);
	}
}
