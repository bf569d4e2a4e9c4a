/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Hart 0 rings a doorbell of programs all the time: how much longer work above
 * the jobs takes, in thousandths. */
#include <FreeRTOS.h>
#include <inttypes.h>
#include <stdio.h>
#include <task.h>

#include <trapeze/assert.h>
#include <trapeze/bell_pages.h>
#include <trapeze/jobs.h>
#include <trapeze/map.h>
#include <trapeze/timer.h>

#include "called.h"
#include "caller.h"

#define TURNS 1000000U

static volatile uint32_t *const target =
    (volatile uint32_t *)(TRAPEZE_RING_BASE + TRAPEZE_RING_SIZE - 16);

static uint64_t work(void)
{
	const uint64_t begun = timer_now();

	for (uint32_t i = 0; i < TURNS; i++) {
		__asm__ volatile("");
	}
	return timer_now() - begun;
}

static uint32_t slower(const char *name, uint64_t alone)
{
	const uint64_t beside = work();
	const uint32_t by = (uint32_t)((beside - alone) * 1000U / alone);

	printf("%s: %" PRIu32 "\n", name, by);
	return by;
}

void linux_test(void)
{
	const struct callee callee = caller_prepare(2, 0, 64);
	struct trapeze_answer answer;
	uint64_t alone;
	uint32_t number;

	vTaskPrioritySet(NULL, configMAX_PRIORITIES - 1);
	alone = work();
	*target = TRAPEZE_BELL_PAGES_BASE + TRAPEZE_BELL_PAGES_RING_OFFSET +
		  7U * TRAPEZE_BELL_PAGES_RING_STRIDE;
	(void)slower("nobody's", alone);
	*target = TRAPEZE_BELL_PAGES_BASE + TRAPEZE_BELL_PAGES_RING_OFFSET +
		  callee.channel * TRAPEZE_BELL_PAGES_RING_STRIDE;
	(void)slower("no call", alone);
	/* The first begins. The second waits for it, and so for this task. */
	number = caller_put(callee.channel, callee.handle, CALLED_RESULT, 1, 0);
	(void)caller_put(callee.channel, callee.handle, CALLED_RESULT, 2, 0);
	(void)slower("waits", alone);
	answer = caller_wait(callee.channel, number + 1U);
	TRAPEZE_ASSERT(answer.status == TRAPEZE_JOB_DONE && answer.result == 2);
	*target = 0;
}
