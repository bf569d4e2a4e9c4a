/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The cost of a kernel for a task that only computes: RIOT's CoreMark benchmark, restated. The same iterations of
 * bench/compute, from the same seed, run twice in one image: before the scheduler is started, and in a task while ticks
 * come. The program prints one line for each run: cycles and instructions of an iteration. Both runs must have the same
 * result, and ticks must have come in the second one.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <FreeRTOS.h>
#include <task.h>
#include <trapeze/timer.h>

#include "../compute/compute.h"

/* Enough iterations for some fifteen ticks. */
#define ITERATIONS 24U

struct run {
	uint32_t result;
	uint64_t cycles;
	uint64_t instructions;
};

static struct run bare;

/* Not inlined: both runs execute the very same instructions. */
static __attribute__((noinline)) struct run compute(void)
{
	uint32_t seed = 0x2545f491U;
	uint64_t first_cycle = timer_cycles();
	uint64_t first_instruction = timer_instructions();

	for (uint32_t i = 0; i < ITERATIONS; i++) {
		seed = list_kernel(seed);
		seed = matrix_kernel(seed);
		seed = machine_kernel(seed);
		seed = crc_kernel(seed);
	}
	return (struct run){seed, timer_cycles() - first_cycle,
			    timer_instructions() - first_instruction};
}

static void show(const char *name, const struct run *run, const char *than)
{
	printf("%s cycles %lu instructions %lu%s\n", name,
	       (unsigned long)(run->cycles / ITERATIONS),
	       (unsigned long)(run->instructions / ITERATIONS), than);
}

static void task(void *arg)
{
	(void)arg;

	vTaskDelay(1); /* begins directly after a tick */

	TickType_t first = xTaskGetTickCount();
	struct run busy = compute();
	TickType_t ticks = xTaskGetTickCount() - first;

	show("bare", &bare, "");
	show("task", &busy, " over bare");
	exit(busy.result == bare.result && ticks >= 10U ? 0 : 1);
}

int main(void)
{
	bare = compute();
	(void)xTaskCreate(task, "task", 1024, NULL, 1, NULL);
	vTaskStartScheduler();
	return 1;
}
