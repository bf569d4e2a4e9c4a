/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* The server's side of the ring. */
#include <FreeRTOS.h>
#include <stddef.h>
#include <string.h>
#include <task.h>

#include <trapeze/hart.h>
#include <trapeze/map.h>

#include "doorbell.h"
#include "ring.h"

_Static_assert(sizeof(struct trapeze_ring) <= TRAPEZE_RING_SIZE, "the region is large enough");

static struct trapeze_ring *const ring = (struct trapeze_ring *)TRAPEZE_RING_BASE;

/* Indices that the server writes. */
static uint32_t jobs_out;
static uint32_t ends_in;

/* Linux' count of cancels at the last look. */
static uint32_t cancels_seen;

static uint32_t load(const uint32_t *at)
{
	return __atomic_load_n(at, __ATOMIC_RELAXED);
}

static void store(uint32_t *at, uint32_t value)
{
	__atomic_store_n(at, value, __ATOMIC_RELAXED);
}

void ring_make(void)
{
	/* A server that was reset while it made its ring has left no magic, but perhaps a generation that Linux
	 * knows. */
	uint32_t generation = load(&ring->generation) + 1U;

	store(&ring->magic, 0U);
	hart_fence();
	memset(&ring->jobs_in, 0,
	       offsetof(struct trapeze_ring, jobs) - offsetof(struct trapeze_ring, jobs_in));
	for (unsigned int i = 0; i < TRAPEZE_RING_ENTRIES; i++) {
		ring->cancel[i] = TRAPEZE_RING_NO_JOB;
	}
	ring->version = TRAPEZE_RING_VERSION;
	ring->entries = TRAPEZE_RING_ENTRIES;
	store(&ring->generation, generation != 0U ? generation : 1U);
	jobs_out = 0U;
	ends_in = 0U;
	cancels_seen = 0U;
}

void ring_open(void)
{
	__asm__ volatile("fence w, w" : : : "memory");
	store(&ring->magic, TRAPEZE_RING_MAGIC);
}

bool ring_has_cancels(void)
{
	uint32_t cancels = load(&ring->cancels);
	bool more = cancels != cancels_seen;

	cancels_seen = cancels;
	__asm__ volatile("fence r, r" : : : "memory");
	return more;
}

bool ring_is_cancelled(uint64_t id)
{
	return __atomic_load_n(&ring->cancel[id % TRAPEZE_RING_ENTRIES], __ATOMIC_RELAXED) == id;
}

bool ring_version_right(void)
{
	return load(&ring->client) == TRAPEZE_RING_VERSION;
}

bool ring_take_job(struct trapeze_ring_job *job)
{
	/* Until Linux knows this server, `jobs_in` may count a job that was meant for the server before. */
	if (load(&ring->client) == 0U) {
		return false;
	}
	__asm__ volatile("fence r, r" : : : "memory");

	uint32_t ready = load(&ring->jobs_in) - jobs_out;

	if (ready == 0U || ready > TRAPEZE_RING_ENTRIES) {
		return false;
	}
	__asm__ volatile("fence r, r" : : : "memory");
	memcpy(job, &ring->jobs[jobs_out % TRAPEZE_RING_ENTRIES], sizeof(*job));
	__asm__ volatile("fence rw, w" : : : "memory");
	jobs_out++;
	store(&ring->jobs_out, jobs_out);
	return true;
}

void ring_put_end(const struct trapeze_ring_end *end)
{
	taskENTER_CRITICAL();
	/* The ring is full only if Linux has more jobs in flight than allowed. The end of the job is lost then. */
	if (ends_in - load(&ring->ends_out) < TRAPEZE_RING_ENTRIES) {
		memcpy(&ring->ends[ends_in % TRAPEZE_RING_ENTRIES], end, sizeof(*end));
		__asm__ volatile("fence w, w" : : : "memory");
		ends_in++;
		store(&ring->ends_in, ends_in);
	}
	hart_fence();
	doorbell_ring();
	taskEXIT_CRITICAL();
}
