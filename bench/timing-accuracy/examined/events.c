/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A simulation of events: a heap of them by time, and for each a call by the pointer of its kind. */
#include "../platform.h"
#include "../whole.h"

#define KINDS  6
#define EVENTS 64
#define STEPS  1700

struct event {
	uint64_t time;
	unsigned int kind;
	uint32_t value;
};

static struct event heap[EVENTS + 1]; /* from 1 on */
static unsigned int waiting;
static uint64_t totals[KINDS];
static uint64_t state;

static void put(struct event made)
{
	unsigned int at = ++waiting;

	for (; at > 1 && made.time < heap[at / 2].time; at /= 2) {
		heap[at] = heap[at / 2];
	}
	heap[at] = made;
}

static struct event first(void)
{
	struct event found = heap[1], last = heap[waiting--];
	unsigned int at = 1;

	for (unsigned int below = 2; below <= waiting; below = 2 * at) {
		if (below < waiting && heap[below + 1].time < heap[below].time) {
			below++;
		}
		if (last.time <= heap[below].time) {
			break;
		}
		heap[at] = heap[below];
		at = below;
	}
	heap[at] = last;
	return found;
}

static uint64_t arrive(struct event *at)
{
	at->kind = 1;
	return 3U + (at->value & 7U);
}

static uint64_t wait(struct event *at)
{
	at->kind = (at->value & 3U) == 0U ? 4 : 2;
	return 1;
}

static uint64_t serve(struct event *at)
{
	at->value = (at->value * 1664525U) + 1013904223U;
	at->kind = 3;
	return 2U + (at->value >> 28);
}

static uint64_t leave(struct event *at)
{
	at->kind = at->value % 5U == 0U ? 5 : 0;
	return 9;
}

static uint64_t give_up(struct event *at)
{
	at->value ^= at->value >> 3;
	at->kind = 0;
	return 12;
}

static uint64_t rest(struct event *at)
{
	at->value = (uint32_t)random_next(&state);
	at->kind = 0;
	return 1U + (at->value & 63U);
}

static uint64_t (*const kinds[KINDS])(struct event *) = {arrive, wait, serve, leave, give_up, rest};

void prepare(void)
{
	state = 0x4d2c6dfc5ac42aedU;
	for (unsigned int i = 0; i < EVENTS; i++) {
		uint64_t value = random_next(&state);

		put((struct event){.time = value % 97U,
				   .kind = (unsigned int)(i % KINDS),
				   .value = (uint32_t)(value >> 32)});
	}
}

uint64_t work(void)
{
	uint64_t checksum = 0;

	for (unsigned int i = 0; i < STEPS; i++) {
		struct event now = first();

		totals[now.kind] += now.time;
		now.time += kinds[now.kind](&now);
		put(now);
	}
	for (unsigned int i = 0; i < KINDS; i++) {
		checksum = (checksum * 5U) + totals[i];
	}
	return checksum;
}
