/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Jobs beside each other: registers kept, faults of others, more than there is room for, indices that lie. */
#include <FreeRTOS.h>
#include <inttypes.h>
#include <stdio.h>
#include <task.h>

#include <trapeze/assert.h>
#include <trapeze/map.h>
#include <trapeze/timer.h>

#include "cases.h"
#include "linux.h"

static struct trapeze_ring *const ring = (struct trapeze_ring *)TRAPEZE_RING_BASE;

/* A few jobs with floating point, each several ticks long, and one of the others in between that faults. */
static void floats(void)
{
	struct trapeze_ring_job jobs[4];
	uint64_t before = timer_now();

	for (unsigned int i = 0; i < 4; i++) {
		jobs[i] = linux_case(i, i == 2 ? CASE_STORE : CASE_FLOAT,
				     i == 2 ? TRAPEZE_DMEM_BASE : 0x1111111111ULL * (i + 1));
		linux_input(&jobs[i])[2] = 200000 + 1000 * i;
	}
	/* All are there before the first one runs. */
	vTaskSuspendAll();
	for (unsigned int i = 0; i < 4; i++) {
		linux_put(&jobs[i]);
	}
	(void)xTaskResumeAll();
	for (unsigned int i = 0; i < 4; i++) {
		struct trapeze_ring_end end = linux_wait();

		linux_say("float", &end);
	}
	printf("ticks: %lu\n",
	       (unsigned long)((timer_now() - before) / (configCPU_CLOCK_HZ / configTICK_RATE_HZ)));
	linux_free();
}

/* More than the ring has entries, all that fit at a time. */
static void many(void)
{
	uint32_t done = 0;
	uint32_t no_room = 0;
	uint64_t ids = 0;

	for (unsigned int turn = 0; turn < 4; turn++) {
		vTaskSuspendAll();
		for (unsigned int i = 0; i < TRAPEZE_RING_ENTRIES; i++) {
			struct trapeze_ring_job job =
			    linux_case(turn * TRAPEZE_RING_ENTRIES + i, CASE_RESULT, i);

			linux_put(&job);
		}
		(void)xTaskResumeAll();
		for (unsigned int i = 0; i < TRAPEZE_RING_ENTRIES; i++) {
			struct trapeze_ring_end end = linux_wait();

			done += end.status == TRAPEZE_JOB_DONE;
			no_room += end.status == TRAPEZE_JOB_NO_ROOM;
			ids += end.id;
			TRAPEZE_ASSERT(end.status != TRAPEZE_JOB_DONE ||
				       end.result == (int64_t)(end.id % TRAPEZE_RING_ENTRIES));
		}
		linux_free();
	}
	printf("many: %lu done %lu no-room, ids %" PRIu64 "\n", (unsigned long)done,
	       (unsigned long)no_room, ids);
}

static void lies(void)
{
	uint32_t in = ring->jobs_in;
	uint32_t ends = ring->ends_in;
	static const uint32_t wrong[] = {65, 1000, 0x80000000U, UINT32_MAX};

	for (unsigned int i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		*(volatile uint32_t *)&ring->jobs_in = in + wrong[i];
		linux_ring();
		vTaskDelay(2);
	}
	/* What the server writes is not what it reads. */
	*(volatile uint32_t *)&ring->jobs_in = in;
	*(volatile uint32_t *)&ring->jobs_out = in + 5;
	linux_ring();
	vTaskDelay(2);
	printf("lies: %lu ends\n", (unsigned long)(ring->ends_in - ends));

	struct trapeze_ring_job job = linux_case(5, CASE_RESULT, 5);

	(void)linux_run("after-lies", &job);
	linux_free();
}

/* A job that never ends keeps none from ending. */
static void spins(void)
{
	struct trapeze_ring_job spin = linux_case(1, CASE_SPIN, 0);
	struct trapeze_ring_job job = linux_sum(2);

	/* The one that never ends leaves nothing to tasks below. */
	vTaskPrioritySet(NULL, configMAX_PRIORITIES - 1);
	linux_put(&spin);
	linux_put(&job);
	vTaskDelay(6);
	printf("spin: %lu ends\n", (unsigned long)(ring->ends_in - ring->ends_out));

	struct trapeze_ring_end end = linux_wait();

	linux_say("beside-spin", &end);
}

void linux_test(void)
{
	floats();
	many();
	lies();
	spins();
}
