/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Hart 0 asks for something while the server is at work on something else: so many instructions later, for each number
 * from DELAY_FIRST to DELAY_LAST in steps of DELAY_STEP, behind DELAY_EARLY of DELAY_LATE_STEP. Each is served, or this ends
 * with an assertion. Calls take less time than jobs: their numbers end at CALL_DELAYS.
 */
#include <FreeRTOS.h>
#include <inttypes.h>
#include <stdio.h>
#include <task.h>

#include <trapeze/assert.h>
#include <trapeze/bell_pages.h>
#include <trapeze/clint.h>
#include <trapeze/hart.h>
#include <trapeze/mailbox_side.h>
#include <trapeze/map.h>
#include <trapeze/timer.h>

#include "called.h"
#include "caller.h"
#include "cases.h"

#define CALL_DELAYS 1000U
#define LONGEST     (100ULL * (configCPU_CLOCK_HZ / configTICK_RATE_HZ))

#ifdef TRAPEZE_MAILBOX_A_BASE
#define BELL (TRAPEZE_MAILBOX_A_BASE + TRAPEZE_MAILBOX_SIDE_RING_OFFSET)
#else
#define BELL (TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MSIP_OFFSET + TRAPEZE_CLINT_MSIP_STRIDE)
#endif

static struct trapeze_ring *const ring = (struct trapeze_ring *)TRAPEZE_RING_BASE;

/* What hart 0 does (hart0.S): waits, stores these three in their order, and
 * clears go. */
static volatile struct {
	struct {
		uint32_t address, value;
	} stores[3];
	uint32_t go; /* 1 and the instructions that it waits */
} *const hart0 = (void *)(uintptr_t)(TRAPEZE_RING_BASE + TRAPEZE_RING_SIZE - 48);

/* The next number of a job. */
static uint64_t id = 1000;

static void later(int n, volatile const void *address, uint32_t value)
{
	while (hart0->go != 0U) { /* its ring may come behind what it rings for */
	}
	hart0->stores[n].address = (uint32_t)(uintptr_t)address;
	hart0->stores[n].value = value;
}

static void go(uint32_t delay)
{
	__asm__ volatile("fence w, w" : : : "memory");
	hart0->go = delay + 1U;
}

/* Waits for an end; in the way of the delay's bit 1, busy or asleep. */
static struct trapeze_ring_end ended(uint32_t delay)
{
	const uint64_t begun = timer_now();

	while (*(const volatile uint32_t *)&ring->ends_in == ring->ends_out) {
		TRAPEZE_ASSERT(timer_now() - begun < LONGEST);
		if ((delay & 2U) != 0U) {
			vTaskDelay(1);
		}
	}
	return linux_wait();
}

/* Puts a job where the server does not see it yet. */
static void place(struct trapeze_ring_job *job, uint32_t at)
{
	job->id = ++id;
	*(volatile uint64_t *)&ring->cancel[id % TRAPEZE_RING_ENTRIES] = TRAPEZE_RING_NO_JOB;
	ring->jobs[at % TRAPEZE_RING_ENTRIES] = *job;
}

/* A second job while the first one begins, runs and ends. */
static bool job_behind_job(struct trapeze_ring_job *one, struct trapeze_ring_job *two,
			   uint32_t delay)
{
	const uint32_t in = ring->jobs_in;
	struct trapeze_ring_end first, second;
	bool before;

	place(one, in);
	place(two, in + 1U);
	later(0, NULL, 0U);
	later(1, &ring->jobs_in, in + 2U);
	later(2, (void *)(uintptr_t)BELL, 1U);
	*(volatile uint32_t *)&ring->jobs_in = in + 1U;
	go(delay);
	linux_ring();
	first = ended(delay);
	before = hart0->go == 0U;
	second = ended(delay);
	TRAPEZE_ASSERT(first.id + second.id == one->id + two->id && first.id != second.id);
	TRAPEZE_ASSERT(first.status == TRAPEZE_JOB_DONE && second.status == TRAPEZE_JOB_DONE);
	return before;
}

/* The cancel of a job that does not end by itself. */
static bool cancel_behind_job(struct trapeze_ring_job *job, uint32_t delay)
{
	const uint32_t in = ring->jobs_in;
	struct trapeze_ring_end end;

	place(job, in);
	*(volatile uint64_t *)&ring->cancel[id % TRAPEZE_RING_ENTRIES] = UINT32_MAX; /* of no job */
	later(0, &ring->cancel[id % TRAPEZE_RING_ENTRIES], (uint32_t)id);
	later(1, &ring->cancels, ring->cancels + 1U);
	later(2, (void *)(uintptr_t)BELL, 1U);
	*(volatile uint32_t *)&ring->jobs_in = in + 1U;
	go(delay);
	linux_ring();
	end = ended(delay);
	TRAPEZE_ASSERT(end.id == job->id && end.status == TRAPEZE_JOB_CANCELLED);
	return end.pc == job->regions[0].address; /* its first instruction did not run */
}

#ifdef TRAPEZE_BELL_PAGES_BASE
/* A second call while the first one begins, runs and ends. */
static bool call_behind_call(const struct callee *callee, uint32_t delay)
{
	const uint32_t channel = callee->channel;
	const uint32_t one = caller_put(channel, callee->handle, CALLED_RESULT, 1, 0);
	const uint32_t two = caller_put(channel, callee->handle, CALLED_RESULT, 2, 0);
	volatile uint32_t *number =
	    &caller_page(channel)->calls[two % TRAPEZE_CHANNEL_CALLS].number;
	struct trapeze_answer answer;
	bool before;

	*number = one; /* not there yet */
	later(0, NULL, 0U);
	later(1, number, two);
	later(2,
	      (void *)(uintptr_t)(TRAPEZE_BELL_PAGES_BASE + TRAPEZE_BELL_PAGES_RING_OFFSET +
				  channel * TRAPEZE_BELL_PAGES_RING_STRIDE),
	      1U);
	go(delay);
	caller_ring(channel);
	answer = caller_wait(channel, one);
	before = hart0->go == 0U;
	TRAPEZE_ASSERT(answer.status == TRAPEZE_JOB_DONE && answer.result == 1);
	answer = caller_wait(channel, two);
	TRAPEZE_ASSERT(answer.status == TRAPEZE_JOB_DONE && answer.result == 2);
	return before;
}
#endif

void linux_test(void)
{
	struct trapeze_ring_job one = linux_case(0, CASE_RESULT, 5);
	struct trapeze_ring_job two = linux_case(0, CASE_RESULT, 5);
	struct trapeze_ring_job spins = linux_case(0, CASE_SPIN, 0);
	unsigned int windows = 0, jobs = 0, cancels = 0, calls = 0;

	*(volatile uint32_t *)&ring->client = TRAPEZE_RING_VERSION;
#ifdef TRAPEZE_BELL_PAGES_BASE
	const struct callee callee = caller_prepare(2, 0, 64);
#endif
	for (uint32_t delay = DELAY_FIRST; delay < DELAY_LAST;
	     delay += delay < DELAY_EARLY ? DELAY_STEP : DELAY_LATE_STEP) {
		windows++;
		jobs += job_behind_job(&one, &two, delay);
		cancels += cancel_behind_job(&spins, delay);
#ifdef TRAPEZE_BELL_PAGES_BASE
		if (delay < CALL_DELAYS) {
			calls += call_behind_call(&callee, delay);
		}
#endif
	}
	printf("windows %u, before %u %u %u\n", windows, jobs, cancels, calls);
}
