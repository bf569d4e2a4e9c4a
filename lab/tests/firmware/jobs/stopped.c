/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Jobs that do not end by themselves: cancelled while they wait, run, have ended or were never there; and out of time. */
#include <FreeRTOS.h>
#include <stdio.h>
#include <task.h>

#include <trapeze/assert.h>
#include <trapeze/map.h>
#include <trapeze/timer.h>

#include "cases.h"
#include "linux.h"

#define TICK (configCPU_CLOCK_HZ / configTICK_RATE_HZ)

static struct trapeze_ring *const ring = (struct trapeze_ring *)TRAPEZE_RING_BASE;

static uint32_t ends_there(void)
{
	return *(volatile uint32_t *)&ring->ends_in - ring->ends_out;
}

/* Leaves the hart to the others meanwhile. */
static struct trapeze_ring_end wait_end(void)
{
	while (ends_there() == 0) {
		vTaskDelay(1);
	}
	return linux_wait();
}

static struct trapeze_ring_end wait_and_say(const char *name)
{
	struct trapeze_ring_end end = wait_end();

	linux_say(name, &end);
	return end;
}

static void run(const char *name, const struct trapeze_ring_job *job)
{
	linux_put(job);
	(void)wait_and_say(name);
}

static void running(void)
{
	struct trapeze_ring_job spin = linux_case(70, CASE_SPIN, 0);

	linux_put(&spin);
	vTaskDelay(3);
	linux_cancel(6); /* the same entry, another number */
	linux_cancel(1000000);
	vTaskDelay(3);
	TRAPEZE_ASSERT(ends_there() == 0);
	linux_cancel(70);

	struct trapeze_ring_end end = wait_and_say("running");

	TRAPEZE_ASSERT(end.pc - spin.regions[0].address < spin.regions[0].bytes);
	linux_free();
}

static void waiting(void)
{
	struct trapeze_ring_job job = linux_case(71, CASE_RESULT, 5);

	/* The handler has it, the server has not. */
	vTaskSuspendAll();
	linux_put(&job);
	linux_cancel(71);
	(void)xTaskResumeAll();
	TRAPEZE_ASSERT(wait_and_say("waiting").pc == job.regions[0].address);

	/* Both are in the ring before anybody looks. */
	job.id = 72;
	taskENTER_CRITICAL();
	linux_put(&job);
	linux_cancel(72);
	taskEXIT_CRITICAL();
	TRAPEZE_ASSERT(wait_and_say("in-the-ring").pc == job.regions[0].address);
	linux_free();
}

static void ended(void)
{
	struct trapeze_ring_job job = linux_case(73, CASE_RESULT, 5);

	run("before-cancel", &job);
	linux_cancel(73);
	linux_cancel(99999);
	vTaskDelay(2);
	TRAPEZE_ASSERT(ends_there() == 0);
	job.id = 74;
	run("behind-cancel", &job);
	linux_free();
}

/* A cancel comes a tick after a job that is about as long: before, at and behind each part of its end. */
static void about_its_end(void)
{
	unsigned int done = 0;
	unsigned int cancelled = 0;

	for (unsigned int i = 0; i < 100; i++) {
		struct trapeze_ring_job job = linux_case(1000 + i, CASE_FLOAT, 3);

		linux_input(&job)[2] = TICK * 4 / 10 + i * (TICK / 1000);
		vTaskDelay(1);
		linux_put(&job);
		vTaskDelay(1);
		linux_cancel(job.id);

		struct trapeze_ring_end end = wait_end();

		TRAPEZE_ASSERT(end.id == job.id);
		done += end.status == TRAPEZE_JOB_DONE && end.result == 0;
		cancelled += end.status == TRAPEZE_JOB_CANCELLED;
		TRAPEZE_ASSERT(ends_there() == 0);
		linux_free();
	}
	printf("about its end: %u done %u cancelled\n", done, cancelled);
}

/* As many as there are, each for ever; room for as many again and again. */
static void all(void)
{
	unsigned int cancelled = 0;

	for (unsigned int turn = 0; turn < 3; turn++) {
		uint64_t first = 10000 + turn * TRAPEZE_RING_ENTRIES;

		for (unsigned int i = 0; i < TRAPEZE_RING_ENTRIES; i++) {
			struct trapeze_ring_job job = linux_case(first + i, CASE_SPIN, 0);

			linux_put(&job);
		}
		vTaskDelay(2);
		for (unsigned int i = 0; i < TRAPEZE_RING_ENTRIES; i++) {
			linux_cancel(first + i);
		}
		for (unsigned int i = 0; i < TRAPEZE_RING_ENTRIES; i++) {
			cancelled += wait_end().status == TRAPEZE_JOB_CANCELLED;
		}
		linux_free();
	}
	printf("all: %u cancelled\n", cancelled);
}

static void limited(const char *name, uint64_t id, uint64_t number, uint64_t limit)
{
	struct trapeze_ring_job job = linux_case(id, number, 5);
	uint64_t begun = timer_now();

	job.limit = limit;
	linux_input(&job)[2] = 3 * TICK; /* CASE_FLOAT spins as often: the limits are looked at meanwhile */
	linux_put(&job);
	while (ends_there() == 0) {
		vTaskDelay(1);
	}

	uint64_t took = timer_now() - begun;
	struct trapeze_ring_end end = wait_and_say(name);

	if (end.status == TRAPEZE_JOB_TIME_LIMIT) {
		/* One more tick for this task, which looks at ticks. */
		TRAPEZE_ASSERT(took >= limit && took <= limit + 4 * TICK);
		TRAPEZE_ASSERT(end.pc - job.regions[0].address < job.regions[0].bytes);
	}
	linux_free();
}

/* The server looks, as it gets a job, while there is a third of a tick left to another one. */
static void not_early(void)
{
	struct trapeze_ring_job one = linux_case(87, CASE_SPIN, 0);
	struct trapeze_ring_job other = linux_case(88, CASE_RESULT, 5);
	uint64_t begun;

	one.limit = 3 * TICK + TICK / 5;
	vTaskDelay(1);
	begun = timer_now();
	linux_put(&one);
	vTaskDelay(2);
	while (timer_now() - begun < 3 * TICK - TICK / 8) {
	}
	linux_put(&other);
	vTaskDelay(1);
	TRAPEZE_ASSERT(ends_there() == 1);
	(void)wait_and_say("looked");
	(void)wait_and_say("not-early");
	linux_free();
}

static void limits(void)
{
	limited("limit-1", 80, CASE_SPIN, 1);
	limited("limit-tick", 81, CASE_SPIN, TICK);
	limited("limit-ticks", 82, CASE_SPIN, 7 * TICK + TICK / 2);
	limited("limit-enough", 83, CASE_FLOAT, 50 * TICK);
	limited("limit-largest", 84, CASE_FLOAT, UINT64_MAX);
	limited("limit-wraps", 89, CASE_FLOAT, UINT64_MAX - 1); /* from now on it ends before now */

	/* Of two, one has a limit; the other one is cancelled. */
	struct trapeze_ring_job one = linux_case(85, CASE_SPIN, 0);
	struct trapeze_ring_job other = linux_case(86, CASE_SPIN, 0);

	one.limit = 3 * TICK;
	linux_put(&one);
	linux_put(&other);
	vTaskDelay(10);
	TRAPEZE_ASSERT(ends_there() == 1);
	(void)wait_and_say("limited");
	linux_cancel(86);
	(void)wait_and_say("not-limited");
	linux_free();
}

static void version(void)
{
	struct trapeze_ring_job job = linux_case(90, CASE_RESULT, 5);

	*(volatile uint32_t *)&ring->client = TRAPEZE_RING_VERSION - 1;
	run("other-version", &job);
	*(volatile uint32_t *)&ring->client = TRAPEZE_RING_VERSION;
	job.id = TRAPEZE_RING_NO_JOB;
	run("no-number", &job);
	job.id = 91;
	run("right-version", &job);
}

void linux_test(void)
{
	/* A job that never ends leaves nothing to tasks below. */
	vTaskPrioritySet(NULL, configMAX_PRIORITIES - 1);
	running();
	waiting();
	ended();
	about_its_end();
	all();
	limits();
	not_early();
	version();
}
