/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Programs with a channel that write nonsense into its page and ring, at random by SEED, in CASES draws. Behind each batch
 * of draws the calls of other channels end as they should, the server is as it was, and nothing has changed in others' memory.
 */
#include <FreeRTOS.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <task.h>

#include <trapeze/assert.h>
#include <trapeze/jobs.h>
#include <trapeze/map.h>
#include <trapeze/timer.h>

#include "called.h"
#include "caller.h"
#include "cases.h"

#define TICK  (configCPU_CLOCK_HZ / configTICK_RATE_HZ)
#define BATCH 25U

#define WORDS (TRAPEZE_CHANNEL_BYTES / sizeof(uint64_t))

/* Channels of the liars. The others are honest. */
#define LIARS  3U
#define HONEST 4U

/* Bytes of a job's buffer. */
#define BUFFER 4096U

static uint64_t state = SEED * 0x9e3779b97f4a7c15ULL + 1;
static struct callee liars[2 * LIARS], honest[2];
static uint32_t
    next[LIARS]; /* call that the server takes next, if nobody has lied about its answers */
static uint32_t answered;

static uint32_t dice(uint32_t sides)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 16) % sides);
}

static uint64_t word_at_random(void)
{
	static const uint64_t some[] = {
	    0, 1, UINT32_MAX, UINT64_MAX, TRAPEZE_DMEM_BASE, TRAPEZE_RING_BASE};

	switch (dice(3)) {
	case 0:
		return some[dice(sizeof(some) / sizeof(some[0]))];
	case 1:
		return dice(UINT16_MAX) | (uint64_t)dice(64) << 32 | (uint64_t)dice(8) << 48;
	default:
		return state;
	}
}

/* A word anywhere in the page, or a call that the server takes, with nonsense in it. */
static void draw(uint32_t channel)
{
	uint64_t *words = (uint64_t *)caller_page(channel);
	struct trapeze_call *call;

	if (caller_page(channel)->answers[next[channel] % TRAPEZE_CHANNEL_CALLS].number ==
	    next[channel]) {
		next[channel]++;
		answered++;
	}
	call = &caller_page(channel)->calls[next[channel] % TRAPEZE_CHANNEL_CALLS];
	if (dice(4) == 0) {
		words[dice(dice(8) == 0 ? WORDS : WORDS / 4U)] = word_at_random();
	} else {
		call->arguments[0] = dice(4) != 0 ? dice(CALLED_FAR + 1U) : word_at_random();
		call->arguments[1] = dice(2) != 0 ? dice(3U * TICK / 100U) : word_at_random();
		call->ranges[dice(TRAPEZE_CALL_RANGES)] =
		    (struct trapeze_call_range){.region = (uint8_t)dice(4),
						.what = (uint8_t)dice(4),
						.first = (uint16_t)dice(80),
						.last = (uint16_t)dice(80)};
		call->count = (uint16_t)(dice(3) == 0 ? dice(6) : 0);
		call->handle =
		    (uint16_t)(dice(8) == 0 ? dice(40) : liars[2 * channel + dice(2)].handle);
		*(volatile uint32_t *)&call->number = next[channel];
	}
	if (dice(2) != 0) {
		caller_ring(channel);
	}
}

static uint32_t sum_of(uintptr_t base, uint32_t bytes)
{
	const uint32_t *word = (const uint32_t *)base;
	uint32_t sum = 0;

	for (uint32_t i = 0; i < bytes / sizeof(*word); i++) {
		sum = sum * 31U + word[i];
	}
	return sum;
}

/* Each counts by itself: none of its calls is lost, or made twice. */
static void look(uint32_t turn)
{
	for (unsigned int i = 0; i < 2; i++) {
		const struct trapeze_answer answer =
		    caller_call((enum way)dice(WAYS), &honest[i], CALLED_COUNT, 0, 0);

		TRAPEZE_ASSERT(answer.status == TRAPEZE_JOB_DONE && answer.result == (int64_t)turn);
	}
}

/* A channel of a liar goes to another program, whatever its jobs do. */
static void begin_anew(uint32_t channel)
{
	vTaskPrioritySet(NULL, 1);
	for (unsigned int i = 2 * channel; i < 2 * channel + 2; i++) {
		TRAPEZE_ASSERT(liars[i].status != TRAPEZE_JOB_DONE ||
			       caller_drop(liars[i].handle) == TRAPEZE_JOB_DONE);
	}
	memset(caller_page(channel), 0, TRAPEZE_CHANNEL_BYTES);
	next[channel] = caller_page(channel)->first = (uint32_t)word_at_random();
	for (unsigned int i = 2 * channel; i < 2 * channel + 2; i++) {
		caller_again(&liars[i]);
		TRAPEZE_ASSERT(liars[i].status == TRAPEZE_JOB_DONE);
	}
}

static void look_at_jobs(struct trapeze_ring_job *job)
{
	struct trapeze_ring_end end;

	job->id++;
	linux_put(job);
	end = caller_end();
	TRAPEZE_ASSERT(end.id == job->id && end.status == TRAPEZE_JOB_DONE && end.result == 11);
}

void linux_test(void)
{
	const uint32_t code = sum_of(TRAPEZE_IMEM_BASE, 16384);
	struct trapeze_ring_job once = linux_case(1, CASE_RESULT, 11);
	uint32_t others;
	UBaseType_t tasks;

	for (unsigned int i = 0; i < 2; i++) {
		honest[i] = caller_prepare(HONEST + i, 0, BUFFER);
	}
	memset(linux_at(&honest[1].job.regions[1]), 0x5a, BUFFER);
	others = sum_of((uintptr_t)linux_at(&honest[1].job.regions[1]), BUFFER);
	for (unsigned int i = 0; i < 2 * LIARS; i++) {
		liars[i] = caller_prepare(i / 2, TICK, BUFFER);
		liars[i].job.limit = TICK; /* each ends */
	}
	for (unsigned int i = 0; i < LIARS; i++) {
		begin_anew(i);
	}
	tasks = uxTaskGetNumberOfTasks();
	for (uint32_t turn = 1; turn <= CASES / BATCH; turn++) {
		vTaskPrioritySet(NULL, dice(2) != 0 ? 1 : configMAX_PRIORITIES - 1);
		for (uint32_t i = 0; i < BATCH; i++) {
			draw(dice(LIARS));
		}
		look(turn);
		if (turn % 16U == 0U) {
			begin_anew(dice(LIARS));
			look_at_jobs(&once);
		}
		TRAPEZE_ASSERT(uxTaskGetNumberOfTasks() <= tasks + 1U);
	}
	TRAPEZE_ASSERT(sum_of((uintptr_t)linux_at(&honest[1].job.regions[1]), BUFFER) == others);
	TRAPEZE_ASSERT(sum_of(TRAPEZE_IMEM_BASE, 16384) == code);
	printf("hostile calls: %" PRIu32 " answers\n", answered);
}
