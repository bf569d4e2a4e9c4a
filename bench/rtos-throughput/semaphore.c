/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A task takes a semaphore that is available and gives it back. One event is such a pair. */
#include <FreeRTOS.h>
#include <semphr.h>

#include "throughput.h"

enum {
	GIVEN,
	TAKEN
};

const struct test test = {.used = 2U, .events = 1U, .apart = 1U};

static SemaphoreHandle_t semaphore;

static void task(void *arg)
{
	(void)arg;
	for (;;) {
		if (xSemaphoreTake(semaphore, 0) != pdTRUE) {
			failed = true;
		}
		counters[TAKEN]++;
		if (xSemaphoreGive(semaphore) != pdTRUE) {
			failed = true;
		}
		counters[GIVEN]++;
	}
}

void test_prepare(void)
{
	semaphore = xSemaphoreCreateBinary();
	test_require(semaphore != NULL && xSemaphoreGive(semaphore) == pdTRUE);
	(void)test_task(task, 0U, LOWEST);
}
