/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Counts the events of a test in WINDOW_TICKS ticks. The task that measures is the most important one: it sleeps for
 * that long, then prints the number of events and of cycles. The program ends with 0 if the test's counters agree
 * before and after, no call failed, and there was an event.
 */
#include <stdio.h>
#include <stdlib.h>

#include <FreeRTOS.h>
#include <task.h>
#include <trapeze/timer.h>

#include "throughput.h"

/* 3 million cycles, with the default tick of 1 kHz at 100 MHz. */
#ifndef WINDOW_TICKS
#define WINDOW_TICKS 30
#endif

volatile uint32_t counters[COUNTERS];
volatile bool failed;

void test_require(bool created)
{
	if (!created) {
		exit(2);
	}
}

TaskHandle_t test_task(TaskFunction_t code, uint32_t number, UBaseType_t priority)
{
	TaskHandle_t made = NULL;

	test_require(xTaskCreate(code, "test", configMINIMAL_STACK_SIZE, (void *)number, priority,
				 &made) == pdPASS);
	return made;
}

struct sample {
	uint64_t cycle;
	uint32_t events;
	bool consistent;
};

static struct sample sample(void)
{
	struct sample now = {timer_cycles(), 0U, !failed};
	uint32_t least = UINT32_MAX;
	uint32_t most = 0U;

	for (uint32_t i = 0U; i < test.used; i++) {
		uint32_t count = counters[i];

		least = count < least ? count : least;
		most = count > most ? count : most;
		now.events += i < test.events ? count : 0U;
	}
	now.consistent = now.consistent && most - least <= test.apart;
	return now;
}

static void measure(void *arg)
{
	(void)arg;
	vTaskDelay(1); /* begins directly after a tick */

	struct sample begin = sample();

	vTaskDelay(WINDOW_TICKS);

	struct sample end = sample();
	uint32_t events = end.events - begin.events;

	printf("events %lu cycles %lu\n", (unsigned long)events,
	       (unsigned long)(end.cycle - begin.cycle));
	exit(begin.consistent && end.consistent && events > 0U ? 0 : 1);
}

int main(void)
{
	(void)xTaskCreate(measure, "measure", 1024, NULL, configMAX_PRIORITIES - 1, NULL);
	test_prepare();
	vTaskStartScheduler();
	return 1;
}
