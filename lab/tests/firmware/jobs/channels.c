/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Calls of prepared jobs: in each way that they begin, with each end. */
#include <FreeRTOS.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <task.h>

#include <trapeze/assert.h>
#include <trapeze/csr.h>
#include <trapeze/jobs.h>
#include <trapeze/map.h>
#include <trapeze/timer.h>

#include "called.h"
#include "caller.h"

#define TICK (configCPU_CLOCK_HZ / configTICK_RATE_HZ)

/* Turns of two or three instructions each: some ticks. */
#define LONG (2 * TICK)

static bool is_done(const struct trapeze_answer *answer, int64_t result)
{
	return answer->status == TRAPEZE_JOB_DONE && answer->result == result;
}

static bool is_fault(const struct trapeze_answer *answer, uint32_t cause, uint64_t address)
{
	return answer->status == TRAPEZE_JOB_FAULT && answer->cause == cause &&
	       answer->address == address;
}

static bool is_refused(const struct trapeze_answer *answer)
{
	return answer->status == TRAPEZE_JOB_REFUSED && answer->result == TRAPEZE_REFUSED_REST;
}

/* ---------------------------------------------------------------- ends */

/* Whether all ways give the same ends, and none leaves something for the call behind it. */
static void ends(const struct callee *callee)
{
	const uint64_t code = callee->job.regions[0].address;
	uint64_t pc = 0;
	int64_t count = 0;

	for (unsigned int turn = 0; turn < 2U * WAYS; turn++) {
		const enum way way = (enum way)(turn % WAYS);
		struct trapeze_answer answer = caller_call(way, callee, CALLED_RESULT, 5, 7);

		TRAPEZE_ASSERT(is_done(&answer, 26));
		answer = caller_call(way, callee, CALLED_FAR, 99, 0);
		TRAPEZE_ASSERT(is_done(&answer, 99));
		answer = caller_call(way, callee, CALLED_STORE, TRAPEZE_DMEM_BASE + 64, 0);
		TRAPEZE_ASSERT(is_fault(&answer, MCAUSE_STORE_FAULT, TRAPEZE_DMEM_BASE + 64));
		TRAPEZE_ASSERT(answer.place == TRAPEZE_PLACE_NONE && answer.result == 0);
		TRAPEZE_ASSERT(pc == 0 || answer.pc == pc);
		pc = answer.pc;
		TRAPEZE_ASSERT(pc - code < callee->job.regions[0].bytes);
		answer = caller_call(way, callee, CALLED_COUNT, 0, 0);
		TRAPEZE_ASSERT(is_done(&answer, ++count));
		answer = caller_call(way, callee, CALLED_BREAK, 0, 0);
		TRAPEZE_ASSERT(answer.status == TRAPEZE_JOB_FAULT &&
			       answer.cause == MCAUSE_BREAKPOINT);
		answer = caller_call(way, callee, CALLED_ECALL, 0, 0);
		TRAPEZE_ASSERT(answer.status == TRAPEZE_JOB_FAULT &&
			       answer.cause == MCAUSE_ECALL_U);
		answer = caller_call(way, callee, CALLED_SPIN, LONG, 0);
		TRAPEZE_ASSERT(is_done(&answer, 0));
		answer = caller_call(way, callee, CALLED_ADD, 3, 0);
		TRAPEZE_ASSERT(is_done(&answer, 3 * (turn + 1)));
		TRAPEZE_ASSERT(linux_input(&callee->job)[0] == 3 * (turn + 1));
	}
}

/* Two channels: calls with handles that are not of theirs. */
static void handles(const struct callee *one, const struct callee *other)
{
	const uint32_t wrong[] = {one->handle + 2, TRAPEZE_PREPARED, UINT16_MAX, other->handle};

	for (unsigned int turn = 0; turn < WAYS * sizeof(wrong) / sizeof(wrong[0]); turn++) {
		const uint32_t number =
		    caller_put(one->channel, wrong[turn / WAYS], CALLED_RESULT, 1, 1);
		const uint32_t behind = caller_put(one->channel, one->handle, CALLED_RESULT, 1, 1);
		struct trapeze_answer answer;

		caller_ring_in((enum way)(turn % WAYS), one->channel);
		answer = caller_wait(one->channel, number);
		TRAPEZE_ASSERT(is_refused(&answer));
		answer = caller_wait(one->channel, behind);
		TRAPEZE_ASSERT(is_done(&answer, 4));
		answer = caller_call((enum way)(turn % WAYS), other, CALLED_RESULT, 2, 0);
		TRAPEZE_ASSERT(is_done(&answer, 2));
	}
}

/* ---------------------------------------------------------------- several calls */

/* As many as a channel has, by one ring: of one job or of two, with faults between them. Jobs count their calls, so that none
 * runs twice. */
static void in_a_row(const struct callee *one, const struct callee *other)
{
	const struct trapeze_answer count_of_one = caller_call(WAY_TASK, one, CALLED_COUNT, 0, 0);
	const struct trapeze_answer count_of_other =
	    caller_call(WAY_TASK, other, CALLED_COUNT, 0, 0);
	int64_t counts[] = {count_of_one.result, count_of_other.result};

	for (unsigned int turn = 0; turn < 8U * WAYS; turn++) {
		const bool faults = turn % 2U != 0U, two = turn / 2U % 2U != 0U;
		const uint32_t calls = turn / 4U % 2U != 0U ? 2U : TRAPEZE_CHANNEL_CALLS;
		uint32_t first = 0;

		for (uint32_t i = 0; i < calls; i++) {
			const struct callee *callee = two && i % 3U == 1U ? other : one;
			const uint32_t number =
			    caller_put(one->channel, callee->handle,
				       faults && i % 4U != 3U ? CALLED_BREAK : CALLED_COUNT, i, 0);

			first = i == 0U ? number : first;
		}
		caller_ring_in((enum way)(turn % WAYS), one->channel);
		for (uint32_t i = 0; i < calls; i++) {
			const struct trapeze_answer answer = caller_wait(one->channel, first + i);

			TRAPEZE_ASSERT(faults && i % 4U != 3U
					   ? answer.status == TRAPEZE_JOB_FAULT
					   : is_done(&answer, ++counts[two && i % 3U == 1U]));
		}
	}
}

/* A call waits for the one before of the same job, and calls of other channels do not. */
static void beside(const struct callee *one, const struct callee *other)
{
	for (unsigned int turn = 0; turn < WAYS; turn++) {
		const uint32_t number = caller_put(one->channel, one->handle, CALLED_SPIN, LONG, 0);
		uint32_t behind;
		struct trapeze_answer answer;

		caller_ring_in((enum way)turn, one->channel);
		vTaskPrioritySet(NULL, configMAX_PRIORITIES - 1);
		behind = caller_put(one->channel, one->handle, CALLED_RESULT, turn, 0);
		caller_ring(one->channel);
		answer = caller_call((enum way)turn, other, CALLED_RESULT, 8, 0);
		TRAPEZE_ASSERT(is_done(&answer, 8));
		answer = caller_wait(one->channel, behind);
		TRAPEZE_ASSERT(is_done(&answer, turn));
		answer = caller_wait(one->channel, number);
		TRAPEZE_ASSERT(is_done(&answer, 0));
	}
}

/* ---------------------------------------------------------------- limits and drops */

static void limits(uint32_t channel)
{
	const uint64_t limit = 3ULL * TICK;
	const struct callee callee = caller_prepare(channel, limit, 64);

	for (unsigned int turn = 0; turn < 2U * WAYS; turn++) {
		const enum way way = (enum way)(turn % WAYS);
		const uint64_t begun = timer_now();
		struct trapeze_answer answer =
		    caller_call(way, &callee, CALLED_SPIN, CALLED_EVER, 0);
		const uint64_t took = timer_now() - begun;

		TRAPEZE_ASSERT(answer.status == TRAPEZE_JOB_TIME_LIMIT && answer.result == 0);
		/* One more tick for this task, and one for a late ring. */
		TRAPEZE_ASSERT(took >= limit && took <= limit + 5U * TICK);
		TRAPEZE_ASSERT(answer.pc - callee.job.regions[0].address <
			       callee.job.regions[0].bytes);
		answer = caller_call(way, &callee, CALLED_RESULT, turn, 0);
		TRAPEZE_ASSERT(is_done(&answer, turn));
		/* The time of a call that has ended is not counted on. */
		vTaskDelay(5);
	}
	TRAPEZE_ASSERT(caller_drop(callee.handle) == TRAPEZE_JOB_DONE);
}

/* From now on it would end before now: it is no limit. */
static void limit_that_wraps(uint32_t channel)
{
	const struct callee callee = caller_prepare(channel, UINT64_MAX - 1, 64);

	for (unsigned int way = 0; way < WAYS; way++) {
		const struct trapeze_answer answer =
		    caller_call((enum way)way, &callee, CALLED_SPIN, LONG, 0);

		TRAPEZE_ASSERT(is_done(&answer, 0));
	}
	TRAPEZE_ASSERT(caller_drop(callee.handle) == TRAPEZE_JOB_DONE);
}

static TaskHandle_t self;

/* Raises the test's task above jobs, some ticks after it has asked for that. */
static void raise(void *parameters)
{
	(void)parameters;
	for (;;) {
		(void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
		vTaskDelay(3);
		vTaskPrioritySet(self, configMAX_PRIORITIES - 1);
	}
}

/* Dropped while a call of it runs, with another one behind it: each has an end, and the channel goes on. */
static void drops(uint32_t channel, TaskHandle_t raiser, bool is_alone)
{
	struct callee other;

	vTaskPrioritySet(NULL, 1);
	if (!is_alone) {
		other = caller_prepare(channel, 0, 64);
	}
	for (unsigned int turn = 0; turn < 2U * WAYS; turn++) {
		const struct callee callee = caller_prepare(channel, 0, 64);
		const uint32_t number =
		    caller_put(channel, callee.handle, CALLED_SPIN, CALLED_EVER, 0);
		const uint32_t behind = caller_put(channel, callee.handle, CALLED_RESULT, 0, 0);
		struct trapeze_answer answer;

		(void)xTaskNotifyGive(raiser);
		caller_ring_in((enum way)(turn % WAYS), channel);
		vTaskDelay(5);
		TRAPEZE_ASSERT(
		    caller_page(channel)->answers[number % TRAPEZE_CHANNEL_CALLS].number != number);
		TRAPEZE_ASSERT(caller_drop(callee.handle) == TRAPEZE_JOB_DONE);
		answer = caller_wait(channel, number);
		TRAPEZE_ASSERT(answer.status == TRAPEZE_JOB_CANCELLED && answer.result == 0);
		answer = caller_wait(channel, behind);
		TRAPEZE_ASSERT(is_refused(&answer));
		TRAPEZE_ASSERT(caller_drop(callee.handle) == TRAPEZE_JOB_REFUSED);
		vTaskPrioritySet(NULL, 1);
		if (!is_alone) {
			answer = caller_call(WAY_QUICK, &other, CALLED_RESULT, 1, 0);
			TRAPEZE_ASSERT(is_done(&answer, 1));
		}
		linux_free();
	}
	if (!is_alone) {
		TRAPEZE_ASSERT(caller_drop(other.handle) == TRAPEZE_JOB_DONE);
	}
}

static void room(void)
{
	for (unsigned int turn = 0; turn < 2; turn++) {
		static struct callee callees[TRAPEZE_PREPARED];
		struct callee more;

		for (uint32_t i = 0; i < TRAPEZE_PREPARED; i++) {
			callees[i] = caller_prepare(i % TRAPEZE_CHANNELS, 0, 64);
			TRAPEZE_ASSERT(callees[i].status == TRAPEZE_JOB_DONE);
		}
		more = caller_prepare(3, 0, 64);
		TRAPEZE_ASSERT(more.status == TRAPEZE_JOB_NO_ROOM);
		/* All channels at once. */
		for (unsigned int way = 0; way < WAYS; way++) {
			static uint32_t numbers[TRAPEZE_PREPARED];

			for (uint32_t i = 0; i < TRAPEZE_PREPARED; i++) {
				numbers[i] = caller_put(callees[i].channel, callees[i].handle,
							CALLED_RESULT, i, 0);
			}
			taskENTER_CRITICAL();
			for (uint32_t i = 1; i < TRAPEZE_CHANNELS; i++) {
				caller_ring(i);
			}
			taskEXIT_CRITICAL();
			caller_ring_in((enum way)way, 0);
			for (uint32_t i = 0; i < TRAPEZE_PREPARED; i++) {
				const struct trapeze_answer answer =
				    caller_wait(callees[i].channel, numbers[i]);

				TRAPEZE_ASSERT(is_done(&answer, i));
			}
		}
		for (uint32_t i = 0; i < TRAPEZE_PREPARED; i++) {
			TRAPEZE_ASSERT(caller_drop(callees[i].handle) == TRAPEZE_JOB_DONE);
		}
		linux_free();
	}
}

/* ---------------------------------------------------------------- what the job sees, and the cache */

static bool lies_in(uint64_t address, uint64_t base, uint64_t bytes)
{
	return address - base < bytes;
}

/* No register of a job holds an address of the kernel's, but for where main() returns to and what is on its stack. */
static void registers(const struct callee *callee)
{
	const uint64_t *words = linux_input(&callee->job);
	const uint64_t sp = words[2];

	for (unsigned int i = 3; i < 32U; i++) {
		const bool is_own = lies_in(words[i], sp - JOBS_STACK, 2 * JOBS_STACK);

		TRAPEZE_ASSERT(is_own || !lies_in(words[i], TRAPEZE_DMEM_BASE, TRAPEZE_DMEM_SIZE));
		TRAPEZE_ASSERT(!lies_in(words[i], TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE));
		TRAPEZE_ASSERT(!lies_in(words[i], TRAPEZE_SMEM_BASE, TRAPEZE_SMEM_SIZE));
	}
}

static void set_ranges(uint32_t channel, uint32_t number, const struct trapeze_call_range *range,
		       uint16_t count)
{
	struct trapeze_call *call = &caller_page(channel)->calls[number % TRAPEZE_CHANNEL_CALLS];

	for (unsigned int i = 0; i < TRAPEZE_CALL_RANGES; i++) {
		call->ranges[i] = *range;
	}
	call->count = count;
}

/* Ranges, also wrong ones, are no reason for another end. */
static void ranges(const struct callee *callee)
{
	const struct trapeze_call_range some[] = {
	    {.region = 1, .what = TRAPEZE_RANGE_FRESH | TRAPEZE_RANGE_WANTED, .last = 3},
	    {.region = 1, .what = TRAPEZE_RANGE_WANTED, .last = UINT16_MAX},
	    {.region = 1, .what = TRAPEZE_RANGE_WANTED, .first = 4, .last = UINT16_MAX},
	    {.region = 1, .what = TRAPEZE_RANGE_WANTED, .first = 3, .last = 2},
	    {.region = 2, .what = UINT8_MAX},
	    {.region = UINT8_MAX, .what = UINT8_MAX, .last = UINT16_MAX},
	};

	for (unsigned int turn = 0; turn < WAYS * sizeof(some) / sizeof(some[0]); turn++) {
		const enum way way = (enum way)(turn % WAYS);
		const uint32_t number =
		    caller_put(callee->channel, callee->handle, CALLED_ADD, 1, 0);
		struct trapeze_answer answer;

		set_ranges(callee->channel, number, &some[turn / WAYS],
			   turn % 2U != 0U ? 4 : UINT16_MAX);
		caller_ring_in(way, callee->channel);
		answer = caller_wait(callee->channel, number);
		TRAPEZE_ASSERT(answer.status == TRAPEZE_JOB_DONE &&
			       answer.result == (int64_t)linux_input(&callee->job)[0]);
		for (unsigned int i = 0; i < TRAPEZE_CHANNEL_CALLS; i++) {
			set_ranges(callee->channel, i, &some[0], 0);
		}
		answer = caller_call(way, callee, CALLED_REGISTERS, 0, 0);
		TRAPEZE_ASSERT(is_done(&answer, 0));
		registers(callee);
		linux_input(&callee->job)[0] = 0;
	}
}

static volatile uint64_t longest;

/* How long the highest task waits for a tick, at most. */
static void watch(void *parameters)
{
	uint64_t before = timer_now();

	(void)parameters;
	for (;;) {
		vTaskDelay(1);
		longest = timer_now() - before > longest ? timer_now() - before : longest;
		before = timer_now();
	}
}

/* The largest ranges do not keep tasks above the server from running, at neither end of a call. */
static void large(uint32_t channel)
{
	struct callee callee = {.channel = channel, .job = linux_called(1, channel, 64)};
	TaskHandle_t watcher;

	callee.job.regions[1].bytes = 65536U * TRAPEZE_RING_LINE;
	caller_again(&callee);
	TRAPEZE_ASSERT(callee.status == TRAPEZE_JOB_DONE);
	(void)xTaskCreate(watch, "watch", configMINIMAL_STACK_SIZE, NULL, configMAX_PRIORITIES - 1,
			  &watcher);
	for (unsigned int turn = 0; turn < 2U * WAYS; turn++) {
		const struct trapeze_call_range whole = {
		    .region = 1,
		    .what = turn / WAYS != 0U ? TRAPEZE_RANGE_WANTED : TRAPEZE_RANGE_FRESH,
		    .last = UINT16_MAX};
		const uint32_t number =
		    caller_put(channel, callee.handle, CALLED_RESULT, turn, 0);
		struct trapeze_answer answer;

		set_ranges(channel, number, &whole, 4);
		vTaskDelay(1);
		longest = 0;
		caller_ring_in((enum way)(turn % WAYS), channel);
		answer = caller_wait(channel, number);
		TRAPEZE_ASSERT(is_done(&answer, turn));
		TRAPEZE_ASSERT(longest < 2U * TICK);
		set_ranges(channel, number, &whole, 0);
	}
	vTaskDelete(watcher);
	TRAPEZE_ASSERT(caller_drop(callee.handle) == TRAPEZE_JOB_DONE);
}

void linux_test(void)
{
	const struct callee one = caller_prepare(0, 0, 256);
	const struct callee two = caller_prepare(0, 0, 256);
	const struct callee other = caller_prepare(5, 0, 256);
	struct trapeze_ring_job job;
	TaskHandle_t raiser;

	TRAPEZE_ASSERT(one.status == TRAPEZE_JOB_DONE && two.status == TRAPEZE_JOB_DONE &&
		       other.status == TRAPEZE_JOB_DONE);
	ends(&one);
	ends(&other);
	printf("ends\n");
	handles(&one, &other);
	printf("handles\n");
	in_a_row(&one, &two);
	printf("in a row\n");
	beside(&one, &other);
	printf("beside\n");
	ranges(&one);
	printf("ranges\n");
	limits(6);
	limit_that_wraps(6);
	printf("limits\n");
	large(0);
	printf("large\n");
	vTaskPrioritySet(NULL, 1);
	/* What runs once is not disturbed by what is prepared. */
	job = linux_case(7, 0, 11);
	(void)linux_run("once", &job);
	TRAPEZE_ASSERT(caller_drop(one.handle) == TRAPEZE_JOB_DONE);
	TRAPEZE_ASSERT(caller_drop(two.handle) == TRAPEZE_JOB_DONE);
	TRAPEZE_ASSERT(caller_drop(other.handle) == TRAPEZE_JOB_DONE);
	linux_free();
	self = xTaskGetCurrentTaskHandle();
	(void)xTaskCreate(raise, "raise", configMINIMAL_STACK_SIZE, NULL, configMAX_PRIORITIES - 1,
			  &raiser);
	drops(2, raiser, true);
	drops(2, raiser, false);
	printf("drops\n");
	room();
	printf("room\n");
}
