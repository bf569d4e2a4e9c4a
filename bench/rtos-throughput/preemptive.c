/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Five tasks, each more important than the one before. The lowest wakes the second, which runs at once and wakes the
 * third, and so on up to the fifth. A task counts after those above it have suspended themselves again, and then
 * suspends itself. When all have done so the lowest begins anew. One event is a count.
 */
#include "throughput.h"

const struct test test = {.used = 5U, .events = 5U, .apart = 1U};

static TaskHandle_t tasks[COUNTERS];

static void task(void *arg)
{
	uint32_t own = (uint32_t)arg;

	for (;;) {
		if (own > 0U) {
			vTaskSuspend(NULL);
		}
		if (own + 1U < test.used) {
			vTaskResume(tasks[own + 1U]);
		}
		counters[own]++;
	}
}

void test_prepare(void)
{
	for (uint32_t i = 0U; i < test.used; i++) {
		tasks[i] = test_task(task, i, LOWEST + i);
	}
}
