/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A task raises an interrupt, whose handler gives a semaphore; then the task takes the semaphore. No other task runs.
 * One event is an interrupt whose semaphore has been taken.
 */
#include <FreeRTOS.h>
#include <semphr.h>

#include "raise.h"
#include "throughput.h"

enum {
	TASK,
	HANDLER
};

const struct test test = {.used = 2U, .events = 1U, .apart = 1U};

static SemaphoreHandle_t semaphore;

static void handler(void *arg)
{
	BaseType_t woken = pdFALSE;

	(void)arg;
	raise_end();
	counters[HANDLER]++;
	(void)xSemaphoreGiveFromISR(semaphore, &woken);
	portYIELD_FROM_ISR(woken);
}

static void task(void *arg)
{
	(void)arg;
	for (;;) {
		raise_begin();
		while (counters[HANDLER] == counters[TASK]) {
		}
		if (xSemaphoreTake(semaphore, 0) != pdTRUE) {
			failed = true;
		}
		counters[TASK]++;
	}
}

void test_prepare(void)
{
	semaphore = xSemaphoreCreateBinary();
	test_require(semaphore != NULL);
	(void)test_task(task, 0U, LOWEST);
	raise_setup(handler);
}
