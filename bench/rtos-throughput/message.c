/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A task sends a message of 16 bytes to a queue and receives it. One event is such a pair. */
#include <FreeRTOS.h>
#include <queue.h>

#include "throughput.h"

enum {
	RECEIVED,
	SENT
};

const struct test test = {.used = 2U, .events = 1U, .apart = 1U};

struct message {
	uint32_t words[4];
};

static QueueHandle_t queue;

static void task(void *arg)
{
	struct message sent = {{0U}};
	struct message received = {{0U}};

	(void)arg;
	for (;;) {
		sent.words[3] = counters[SENT] + 1U;
		if (xQueueSend(queue, &sent, 0) != pdPASS) {
			failed = true;
		}
		counters[SENT]++;
		if (xQueueReceive(queue, &received, 0) != pdPASS ||
		    received.words[3] != counters[SENT]) {
			failed = true;
		}
		counters[RECEIVED]++;
	}
}

void test_prepare(void)
{
	queue = xQueueCreate(10, sizeof(struct message));
	test_require(queue != NULL);
	(void)test_task(task, 0U, LOWEST);
}
