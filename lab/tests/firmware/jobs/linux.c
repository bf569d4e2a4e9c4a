/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* The other side of the ring, and the main() of the tests' firmware. */
#include <FreeRTOS.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <task.h>

#include <trapeze/assert.h>
#include <trapeze/clint.h>
#include <trapeze/exit.h>
#include <trapeze/hart.h>
#include <trapeze/host.h>
#include <trapeze/irq.h>
#include <trapeze/jobs.h>
#include <trapeze/mailbox_side.h>
#include <trapeze/map.h>

#include "linux.h"

#define LINE TRAPEZE_RING_LINE

/* binaries.S */
extern const char many_begin[], many_end[], sum_begin[], sum_end[], called_begin[], called_end[];

static struct trapeze_ring *const ring = (struct trapeze_ring *)TRAPEZE_RING_BASE;

/* Behind hart 0's program. */
#define FIRST (TRAPEZE_DRAM_BASE + 0x100000ULL)
static uint64_t next = FIRST;

#ifdef TRAPEZE_MAILBOX_A_BASE

static volatile uint32_t *mailbox(uint32_t offset)
{
	return (volatile uint32_t *)((uintptr_t)TRAPEZE_MAILBOX_A_BASE + offset);
}

void linux_ring(void)
{
	*mailbox(TRAPEZE_MAILBOX_SIDE_RING_OFFSET) = TRAPEZE_RING_BELL;
	/* The read orders the write before what follows. */
	(void)*mailbox(TRAPEZE_MAILBOX_SIDE_RING_OFFSET);
}

static bool has_rung(void)
{
	return *mailbox(TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET) == TRAPEZE_RING_BELL;
}

static void clear(void)
{
	*mailbox(TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET) = TRAPEZE_RING_BELL;
}

#else

static volatile uint32_t *const doorbell =
    (volatile uint32_t *)((uintptr_t)TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MSIP_OFFSET);

void linux_ring(void)
{
	irq_software_set(true);
}

static bool has_rung(void)
{
	return *doorbell == 1U;
}

static void clear(void)
{
	*doorbell = 0U;
}

#endif

void linux_free(void)
{
	next = FIRST;
}

struct trapeze_ring_region linux_region(uint32_t bytes, uint32_t flags)
{
	struct trapeze_ring_region region = {.address = next, .bytes = bytes, .flags = flags};

	memset((void *)(uintptr_t)next, 0, bytes);
	next += bytes + LINE; /* what is between two regions is nobody's */
	return region;
}

static struct trapeze_ring_region code(const char *begin, const char *end, uint32_t flags)
{
	uint32_t bytes = (uint32_t)(end - begin);
	struct trapeze_ring_region region =
	    linux_region(bytes, TRAPEZE_REGION_READ | TRAPEZE_REGION_EXECUTE | flags);

	memcpy(linux_at(&region), begin, bytes);
	return region;
}

struct trapeze_ring_job linux_case(uint64_t id, uint64_t number, uint64_t word)
{
	struct trapeze_ring_job job = {.id = id, .count = 2};

	job.regions[0] = code(many_begin, many_end, 0);
	job.regions[1] = linux_region(LINE, TRAPEZE_REGION_READ);
	linux_input(&job)[0] = number;
	linux_input(&job)[1] = word;
	return job;
}

struct trapeze_ring_job linux_sum(uint64_t id)
{
	struct trapeze_ring_job job = {.id = id, .count = 4};

	job.regions[0] = code(sum_begin, sum_end, TRAPEZE_REGION_WRITE);
	for (unsigned int i = 1; i < 4; i++) {
		job.regions[i] = linux_region(64 * sizeof(double),
					      i == 3 ? TRAPEZE_REGION_WRITE : TRAPEZE_REGION_READ);
		for (int k = 0; k < 64; k++) {
			((double *)linux_at(&job.regions[i]))[k] = i == 1 ? k * 0.5 : k * 0.25;
		}
	}
	return job;
}

struct trapeze_ring_job linux_called(uint64_t id, uint32_t channel, uint32_t bytes)
{
	struct trapeze_ring_job job = {
	    .id = id, .count = 2, .what = TRAPEZE_RING_PREPARE, .of = channel};

	job.regions[0] = code(called_begin, called_end, TRAPEZE_REGION_WRITE);
	job.regions[1] = linux_region(bytes, TRAPEZE_REGION_READ | TRAPEZE_REGION_WRITE);
	return job;
}

void linux_put(const struct trapeze_ring_job *job)
{
	uint32_t in = ring->jobs_in;

	if (in == 0) {
		*(volatile uint32_t *)&ring->client = TRAPEZE_RING_VERSION;
	}
	*(volatile uint64_t *)&ring->cancel[job->id % TRAPEZE_RING_ENTRIES] = TRAPEZE_RING_NO_JOB;
	ring->jobs[in % TRAPEZE_RING_ENTRIES] = *job;
	__asm__ volatile("fence w, w" : : : "memory");
	*(volatile uint32_t *)&ring->jobs_in = in + 1;
	linux_ring();
}

void linux_cancel(uint64_t id)
{
	*(volatile uint64_t *)&ring->cancel[id % TRAPEZE_RING_ENTRIES] = id;
	__asm__ volatile("fence w, w" : : : "memory");
	*(volatile uint32_t *)&ring->cancels = ring->cancels + 1;
	linux_ring();
}

struct trapeze_ring_end linux_wait(void)
{
	uint32_t out = ring->ends_out;
	struct trapeze_ring_end end;

	while (*(volatile uint32_t *)&ring->ends_in == out) {
	}
	__asm__ volatile("fence r, r" : : : "memory");
	end = ring->ends[out % TRAPEZE_RING_ENTRIES];
	*(volatile uint32_t *)&ring->ends_out = out + 1;
	TRAPEZE_ASSERT(has_rung());
	if (*(volatile uint32_t *)&ring->ends_in == out + 1) {
		clear();
	}
	return end;
}

void linux_say(const char *name, const struct trapeze_ring_end *end)
{
	printf("%s: id %" PRIu64 " status %" PRIu32 " cause %" PRIu32 " address %#" PRIx64
	       " pc %#" PRIx64 " result %" PRId64 " place %" PRIu32 "\n",
	       name, end->id, end->status, end->cause, end->address, end->pc, end->result,
	       end->place);
}

struct trapeze_ring_end linux_run(const char *name, const struct trapeze_ring_job *job)
{
	linux_put(job);

	struct trapeze_ring_end end = linux_wait();

	linux_say(name, &end);
	return end;
}

static void task(void *arg)
{
	(void)arg;
	TRAPEZE_ASSERT(ring->magic == TRAPEZE_RING_MAGIC && ring->version == TRAPEZE_RING_VERSION);
	TRAPEZE_ASSERT(ring->entries == TRAPEZE_RING_ENTRIES && ring->generation == 1);
	linux_test();
	*(volatile uint32_t *)(TRAPEZE_RING_BASE + TRAPEZE_RING_SIZE - 8) =
	    TRAPEZE_HOST_FINISHER_STATUS_PASS;
	trapeze_exit(0);
}

int main(void)
{
	jobs_start();
	xTaskCreate(task, "linux", 1024, NULL, 1, NULL);
	vTaskStartScheduler();
	return 1;
}
