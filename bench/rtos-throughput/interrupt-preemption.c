/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A task raises an interrupt, whose handler wakes a more important task. That task runs when the handler returns,
 * counts and suspends itself; then the first task goes on. One event is such a cycle.
 */
#include "raise.h"
#include "throughput.h"

enum {
	WOKEN,
	HANDLER,
	TASK
};

const struct test test = {.used = 3U, .events = 1U, .apart = 1U};

static TaskHandle_t sleeper;

static void handler(void *arg)
{
	(void)arg;
	raise_end();
	counters[HANDLER]++;
	portYIELD_FROM_ISR(xTaskResumeFromISR(sleeper));
}

static void woken(void *arg)
{
	(void)arg;
	for (;;) {
		vTaskSuspend(NULL);
		counters[WOKEN]++;
	}
}

static void task(void *arg)
{
	(void)arg;
	for (;;) {
		raise_begin();
		while (counters[WOKEN] == counters[TASK]) {
		}
		counters[TASK]++;
	}
}

void test_prepare(void)
{
	sleeper = test_task(woken, 0U, LOWEST + 1U);
	(void)test_task(task, 0U, LOWEST);
	raise_setup(handler);
}
