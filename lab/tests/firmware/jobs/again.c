/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Linux goes down with jobs in flight, without a word, and comes again: its new driver finds the same server, with indices and
 * jobs of the old one.
 */
#include <FreeRTOS.h>
#include <inttypes.h>
#include <stdio.h>
#include <task.h>

#include <trapeze/assert.h>
#include <trapeze/map.h>

#include "cases.h"
#include "linux.h"

#define TICK    (configCPU_CLOCK_HZ / configTICK_RATE_HZ)
#define LIVES   20U
#define ORPHANS 8U

static struct trapeze_ring *const ring = (struct trapeze_ring *)TRAPEZE_RING_BASE;

static void greet(void)
{
	*(volatile uint32_t *)&ring->jobs_in = ring->jobs_out;
	*(volatile uint32_t *)&ring->ends_out = ring->ends_in;
	*(volatile uint32_t *)&ring->client = TRAPEZE_RING_VERSION;
}

void linux_test(void)
{
	const uint32_t generation = ring->generation;
	uint32_t orphans = 0;

	/* It runs beside jobs that do not end. */
	vTaskPrioritySet(NULL, configMAX_PRIORITIES - 1);
	greet();
	for (uint64_t life = 1; life <= LIVES; life++) {
		const uint64_t numbers = life << 32;

		for (unsigned int i = 0; i < ORPHANS; i++) {
			struct trapeze_ring_job job = linux_case(numbers + i, CASE_SPIN, 0);

			job.limit = (1 + life % 4) * TICK;
			linux_put(&job);
		}
		vTaskDelay((TickType_t)(life % 3));
		greet();

		struct trapeze_ring_job job = linux_case(numbers + ORPHANS, CASE_RESULT, life);
		struct trapeze_ring_end end = {0};

		linux_put(&job);
		while (end.id != job.id) {
			while (*(volatile uint32_t *)&ring->ends_in == ring->ends_out) {
				vTaskDelay(1);
			}
			end = linux_wait();
			orphans += end.id != job.id;
			TRAPEZE_ASSERT(end.id == job.id || end.id < numbers + ORPHANS);
		}
		TRAPEZE_ASSERT(end.status == TRAPEZE_JOB_DONE && end.result == (int64_t)life);
		TRAPEZE_ASSERT(ring->generation == generation);
		linux_free();
	}
	printf("again: %" PRIu32 " ends of others\n", orphans);
}
