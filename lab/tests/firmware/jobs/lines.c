/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Says how many lines leave the cache without and with being written back, at the beginning and at each end that a job, or
 * a call of a prepared one, can have. A marker stands in front of each and behind the last.
 */
#include <FreeRTOS.h>
#include <stdio.h>
#include <task.h>

#include <trapeze/assert.h>

#include "called.h"
#include "caller.h"
#include "cases.h"

#define BYTES (8U * TRAPEZE_RING_LINE) /* of the buffer of a prepared job */

#define MARK() __asm__ volatile("slti x0, x0, 77" : : : "memory")

static unsigned int lines(const struct trapeze_ring_job *job)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < job->count; i++) {
		bytes += job->regions[i].bytes;
	}
	return (unsigned int)(bytes / TRAPEZE_RING_LINE);
}

static void says(const char *name, unsigned int forgotten, unsigned int flushed)
{
	printf("lines: %s %u %u\n", name, forgotten, flushed);
	fflush(stdout);
	MARK();
}

/* A job that ends in a way, with a region of each kind. */
static void runs(const char *name, enum job_case number, uint64_t limit, uint32_t status)
{
	struct trapeze_ring_job job = linux_case(7, number, 5);
	struct trapeze_ring_end end;

	job.limit = limit;
	job.regions[job.count++] = linux_region(64 * 3, TRAPEZE_REGION_WRITE);
	says(name, lines(&job), lines(&job));
	linux_put(&job);
	if (status == TRAPEZE_JOB_CANCELLED) {
		vTaskDelay(2); /* it runs */
		linux_cancel(7);
	}
	end = caller_end();
	TRAPEZE_ASSERT(end.status == status);
	linux_free();
}

#ifdef TRAPEZE_BELL_PAGES_BASE
/* A call with 3 lines that the program has written, and 2 that it wants to read. */
static uint32_t calls(const char *name, const struct callee *callee, enum called what, enum way way)
{
	const uint32_t number = caller_put(callee->channel, callee->handle, what, CALLED_EVER, 0);
	struct trapeze_call *call =
	    &caller_page(callee->channel)->calls[number % TRAPEZE_CHANNEL_CALLS];

	call->ranges[0] = (struct trapeze_call_range){
	    .region = 1, .what = TRAPEZE_RANGE_FRESH, .first = 1, .last = 3};
	call->ranges[1] = (struct trapeze_call_range){
	    .region = 1, .what = TRAPEZE_RANGE_WANTED, .first = 4, .last = 5};
	call->count = 2;
	says(name, 3, 2);
	caller_ring_in(way, callee->channel);
	return number;
}

static void prepared(void)
{
	static const char *const ways[] = {"borrows", "quick", "task"};
	struct callee callee;
	uint32_t number;
	const struct trapeze_ring_job job = linux_called(0, 2, BYTES);

	linux_free();
	says("prepared", lines(&job), 0);
	callee = caller_prepare(2, 0, BYTES);
	for (enum way way = WAY_BORROW; way < WAYS; way++) {
		number = calls(ways[way], &callee, CALLED_RESULT, way);
		TRAPEZE_ASSERT(caller_wait(2, number).status == TRAPEZE_JOB_DONE);
		number = calls(ways[way], &callee, CALLED_BREAK, way);
		TRAPEZE_ASSERT(caller_wait(2, number).status == TRAPEZE_JOB_FAULT);
	}
	says("dropped", 0, lines(&callee.job));
	TRAPEZE_ASSERT(caller_drop(callee.handle) == TRAPEZE_JOB_DONE);
}
#endif

void linux_test(void)
{
	vTaskPrioritySet(NULL, configMAX_PRIORITIES - 1); /* above jobs that spin */
	runs("done", CASE_RESULT, 0, TRAPEZE_JOB_DONE);
	runs("fault", CASE_STORE, 0, TRAPEZE_JOB_FAULT);
	runs("cancelled", CASE_SPIN, 0, TRAPEZE_JOB_CANCELLED);
	runs("limit", CASE_SPIN, 1, TRAPEZE_JOB_TIME_LIMIT);
#ifdef TRAPEZE_BELL_PAGES_BASE
	prepared();
#endif
	MARK();
}
