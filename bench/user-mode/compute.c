/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The cost of user mode for a task that only computes: RIOT's CoreMark benchmark, restated. Iterations of bench/compute
 * run in a task while ticks come. Prints the cycles of one iteration.
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

static void task(void *arg)
{
	uint32_t seed = 0x2545f491U;

	(void)arg;
	vTaskDelay(1); /* begins directly after a tick */

	TickType_t tick = xTaskGetTickCount();
	uint64_t cycle = timer_cycles();
	uint64_t instruction = timer_instructions();

	for (uint32_t i = 0; i < ITERATIONS; i++) {
		seed = list_kernel(seed);
		seed = matrix_kernel(seed);
		seed = machine_kernel(seed);
		seed = crc_kernel(seed);
	}
	cycle = timer_cycles() - cycle;
	instruction = timer_instructions() - instruction;
	tick = xTaskGetTickCount() - tick;
	printf("compute cycles %lu instructions %lu\n", (unsigned long)(cycle / ITERATIONS),
	       (unsigned long)(instruction / ITERATIONS));
	exit(tick >= 10U ? 0 : 1);
}

int main(void)
{
	(void)xTaskCreate(task, "task", 1024, NULL, 1, NULL);
	vTaskStartScheduler();
	return 1;
}
