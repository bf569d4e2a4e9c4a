/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A task allocates a block of 128 bytes and frees it. One event is such a pair. */
#include "throughput.h"

enum {
	FREED,
	ALLOCATED
};

const struct test test = {.used = 2U, .events = 1U, .apart = 1U};

static void task(void *arg)
{
	(void)arg;
	for (;;) {
		void *block = pvPortMalloc(128);

		if (block == NULL) {
			failed = true;
		}
		counters[ALLOCATED]++;
		vPortFree(block);
		counters[FREED]++;
	}
}

void test_prepare(void)
{
	(void)test_task(task, 0U, LOWEST);
}
