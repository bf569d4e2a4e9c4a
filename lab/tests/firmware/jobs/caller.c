/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A program that calls prepared jobs. */
#include <FreeRTOS.h>
#include <string.h>
#include <task.h>

#include <trapeze/assert.h>
#include <trapeze/bell_pages.h>
#include <trapeze/bells.h>
#include <trapeze/map.h>
#include <trapeze/timer.h>

#include "caller.h"

#define TICK (configCPU_CLOCK_HZ / configTICK_RATE_HZ)

/* No call of the tests takes longer. */
#define LONGEST (100ULL * TICK)

/* A ring comes so many cycles late: behind the time that this task takes to sleep. */
#define LATE 20000U

static uint64_t given = 1000000;
static uint32_t next[TRAPEZE_CHANNELS];

static volatile uint32_t *bells(uint32_t offset)
{
	return (volatile uint32_t *)((uintptr_t)TRAPEZE_BELLS_BASE + offset);
}

struct trapeze_channel *caller_page(uint32_t channel)
{
	return (struct trapeze_channel *)((uintptr_t)TRAPEZE_RING_BASE + TRAPEZE_CHANNEL_OFFSET +
					  channel * TRAPEZE_CHANNEL_BYTES);
}

struct trapeze_ring_end caller_end(void)
{
	const struct trapeze_ring *ring = (const struct trapeze_ring *)TRAPEZE_RING_BASE;

	while (*(const volatile uint32_t *)&ring->ends_in == ring->ends_out) {
		vTaskDelay(1);
	}
	return linux_wait();
}

struct callee caller_prepare(uint32_t channel, uint64_t limit, uint32_t bytes)
{
	struct callee callee = {.channel = channel, .job = linux_called(0, channel, bytes)};

	if (next[channel] == 0) {
		memset(caller_page(channel), 0, TRAPEZE_CHANNEL_BYTES);
		next[channel] = 1;
	}
	*(volatile uint32_t *)&caller_page(channel)->first = next[channel];
	callee.job.limit = limit;
	caller_again(&callee);
	return callee;
}

void caller_again(struct callee *callee)
{
	struct trapeze_ring_end end;

	callee->job.id = ++given;
	linux_put(&callee->job);
	end = caller_end();
	TRAPEZE_ASSERT(end.id == given);
	callee->status = end.status;
	callee->handle = (uint32_t)end.result;
}

uint32_t caller_drop(uint32_t handle)
{
	const struct trapeze_ring_job job = {
	    .id = ++given, .what = TRAPEZE_RING_DROP, .of = handle};
	struct trapeze_ring_end end;

	linux_put(&job);
	end = caller_end();
	TRAPEZE_ASSERT(end.id == given);
	return end.status;
}

uint32_t caller_put(uint32_t channel, uint32_t handle, uint64_t a, uint64_t b, uint64_t c)
{
	const uint32_t number = next[channel]++;
	struct trapeze_call *call = &caller_page(channel)->calls[number % TRAPEZE_CHANNEL_CALLS];

	call->arguments[0] = a;
	call->arguments[1] = b;
	call->arguments[2] = c;
	call->handle = (uint16_t)handle;
	__asm__ volatile("fence w, w" : : : "memory");
	*(volatile uint32_t *)&call->number = number;
	__asm__ volatile("fence w, o" : : : "memory");
	return number;
}

void caller_ring(uint32_t channel)
{
	volatile uint32_t *bell = (volatile uint32_t *)((uintptr_t)TRAPEZE_BELL_PAGES_BASE +
							TRAPEZE_BELL_PAGES_RING_OFFSET +
							channel * TRAPEZE_BELL_PAGES_RING_STRIDE);

	*bell = 1;
	(void)*bell; /* the read orders the write before what follows */
}

void caller_ring_in(enum way way, uint32_t channel)
{
	vTaskPrioritySet(NULL, way == WAY_TASK ? configMAX_PRIORITIES - 1 : 1);
	if (way != WAY_QUICK) {
		caller_ring(channel);
		return;
	}
	/* The time in which the interrupt is low begins when a bell is cleared. */
	taskENTER_CRITICAL();
	caller_ring(channel);
	*bells(TRAPEZE_BELLS_INTERVAL_OFFSET) = LATE;
	*bells(TRAPEZE_BELLS_BELLS_OFFSET) = 1U << channel;
	caller_ring(channel);
	taskEXIT_CRITICAL();
	vTaskDelay(1);
}

struct trapeze_answer caller_wait(uint32_t channel, uint32_t number)
{
	const struct trapeze_answer *answer =
	    &caller_page(channel)->answers[number % TRAPEZE_CHANNEL_CALLS];
	const uint64_t begun = timer_now();

	while (*(const volatile uint32_t *)&answer->number != number) {
		TRAPEZE_ASSERT(timer_now() - begun < LONGEST);
		vTaskDelay(1);
	}
	__asm__ volatile("fence r, r" : : : "memory");
	return *answer;
}

struct trapeze_answer caller_call(enum way way, const struct callee *callee, uint64_t a, uint64_t b,
				  uint64_t c)
{
	const uint32_t number = caller_put(callee->channel, callee->handle, a, b, c);

	caller_ring_in(way, callee->channel);
	return caller_wait(callee->channel, number);
}
