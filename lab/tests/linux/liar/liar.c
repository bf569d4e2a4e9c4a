/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A server of jobs that lies, at random by SEED, LIES times: it runs nothing, and writes nonsense into each word of the ring. Now
 * and then it begins anew, so that Linux gets its callers back. Then it is honest: every job ends at once, with RIGHT. It is there after LATE ticks. In the end
 * long time limits tell it what else to do (linux/tests/edges.c): a job is prepared so much later, and after a run there is no server for so long.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <trapeze/map.h>
#include <trapeze/ring.h>

#include "doorbell.h"

#ifndef LATE
#define LATE 0U
#endif

#define COMMAND 500000U /* the shortest time limit that is one, in ticks */
#define RIGHT 0x600d /* linux/tests/lied_to.c */
#define ANEW  64U    /* lies between two beginnings at most */
#define STEP                                                                                       \
	1000U /* from one generation to the next: a lie about it is near, and not the next one */

static volatile struct trapeze_ring *const ring = (struct trapeze_ring *)TRAPEZE_RING_BASE;
static uint64_t state = SEED * 0x9e3779b97f4a7c15ULL + 1;
static uint32_t generation;
static uint32_t jobs_out;
static uint32_t ends_in;

static uint32_t dice(uint32_t sides)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)((state >> 16) % sides);
}

static void order(void)
{
	__asm__ volatile("fence rw, rw" : : : "memory");
}

static void begin(void)
{
	ring->magic = 0;
	order();
	ring->version = TRAPEZE_RING_VERSION;
	ring->entries = TRAPEZE_RING_ENTRIES;
	ring->generation = generation += STEP;
	ring->client = 0;
	ring->jobs_in = ring->jobs_out = jobs_out = dice(2) * dice(UINT32_MAX);
	ring->ends_in = ring->ends_out = ends_in = dice(2) * dice(UINT32_MAX);
	order();
	ring->magic = TRAPEZE_RING_MAGIC;
	order();
	doorbell_ring();
}

static void put_end(uint64_t id, bool random)
{
	struct trapeze_ring_end end = {.id = id, .result = RIGHT};

	if (random) {
		uint64_t *const words = (uint64_t *)&end;

		for (unsigned int i = 1; i < sizeof(end) / sizeof(*words); i++) {
			(void)dice(2);
			words[i] = state;
		}
		end.status = dice(2) != 0 ? dice(8) : end.status;
		end.place = dice(2) != 0 ? dice(9) : end.place;
	}
	*(struct trapeze_ring_end *)(uintptr_t)&ring->ends[ends_in % TRAPEZE_RING_ENTRIES] = end;
	order();
	ring->ends_in = ++ends_in;
	order();
}

/* About so long in ticks of mtime, which counts instructions. */
static void rest(uint64_t ticks)
{
	for (uint64_t i = 0; i < ticks; i += 4) {
		__asm__ volatile("");
	}
}

/* Of the job that is next, or of none. */
static uint64_t take(void)
{
	const uint64_t id = ring->jobs[jobs_out % TRAPEZE_RING_ENTRIES].id;

	ring->jobs_out = ++jobs_out;
	return id;
}

static void lie(void)
{
	static uint64_t last;
	const bool is_there = jobs_out != ring->jobs_in && ring->client != 0;
	volatile uint32_t *const words[] = {
	    &ring->magic,  &ring->version, &ring->entries,  &ring->generation, &ring->jobs_in,
	    &ring->client, &ring->cancels, &ring->jobs_out, &ring->ends_in,    &ring->ends_out};

	switch (dice(12)) {
	case 0: /* an index, or what Linux looks at first */
		*words[dice(sizeof(words) / sizeof(words[0]))] =
		    dice(2) != 0 ? dice(UINT32_MAX) : dice(200);
		break;
	case 1:
		ring->ends_in = ends_in + dice(130);
		break;
	case 2: /* of nothing that runs */
		put_end(dice(2) != 0 ? last + dice(9) - 4U : state, true);
		break;
	case 3: /* the same twice */
		put_end(last, dice(2) != 0);
		put_end(last, dice(2) != 0);
		break;
	case 4:
		ring->cancel[dice(TRAPEZE_RING_ENTRIES)] = state;
		ring->jobs[dice(TRAPEZE_RING_ENTRIES)].id = state;
		break;
	case 5: /* another one, or none, without a word */
		ring->generation = dice(2) != 0 ? generation + dice(3) - 1U : dice(UINT32_MAX);
		break;
	case 6:
		ring->magic = dice(2) != 0 ? TRAPEZE_RING_MAGIC : 0;
		break;
	case 7:
		if (is_there) {
			last = take(); /* and never ends it */
		}
		break;
	default:
		if (is_there) {
			last = take();
			put_end(last, dice(3) != 0);
		}
	}
	if (dice(2) != 0) {
		doorbell_ring();
	}
}

/* What makes Linux take this program for a server. */
void jobs_start(void)
{
	ring->magic = 0;
	rest(LATE);
	begin();
	while (ring->client == 0) {
	}
	for (uint32_t lies = 0, left = ANEW; lies < LIES; lies++) {
		if (left-- == 0) {
			begin();
			left = 1U + dice(ANEW);
		}
		/* Linux puts something in meanwhile, or it does not. */
		for (uint32_t i = dice(4) * dice(2000); i != 0 && jobs_out == ring->jobs_in; i--) {
		}
		doorbell_clear();
		lie();
	}
	begin();
	printf("%lu lies\n", (unsigned long)LIES);
	for (;;) {
		if (ring->client != 0 && jobs_out != ring->jobs_in) {
			const volatile struct trapeze_ring_job *const job = &ring->jobs[jobs_out % TRAPEZE_RING_ENTRIES];
			const uint64_t limit =
			    job->what != TRAPEZE_RING_DROP && job->limit >= COMMAND ? job->limit : 0;
			const bool runs = job->what == TRAPEZE_RING_RUN;
			const uint64_t id = take();

			rest(runs ? 0 : limit);
			put_end(id, false);
			doorbell_ring();
			if (runs && limit != 0) {
				while (ring->ends_out != ends_in) {
				}
				ring->magic = 0;
				rest(limit);
				begin();
			}
		}
	}
}

int main(void)
{
	jobs_start();
	return 0;
}
