/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Cycles and instructions of one call of FreeRTOS, and the partner task of switches and messages.
 *
 * The programs of bench/rtos-calls and bench/user-mode include this header once. They define COUNTER_CYCLES and
 * COUNTER_INSTRUCTIONS before: the CSRs that count cycles and retired instructions and that their mode may read.
 */
#ifndef BENCH_RTOS_CALLS_PER_CALL_H
#define BENCH_RTOS_CALLS_PER_CALL_H

#include <stdint.h>
#include <stdio.h>

#include <FreeRTOS.h>
#include <queue.h>
#include <task.h>
#include <trapeze/csr.h>

#define CALLS 64U

static QueueHandle_t there; /* queue of messages to the partner */
static QueueHandle_t back;  /* queue of its answers */

struct stamp {
	uint32_t cycle;
	uint32_t instruction;
};

/* The counters at one moment. */
static struct stamp now(void)
{
	return (struct stamp){csr_read(COUNTER_CYCLES), csr_read(COUNTER_INSTRUCTIONS)};
}

static struct stamp loop; /* cost of the loop without a call, and of reading the counters */

/* Prints one line: `name`, cycles and instructions of each of the `each` calls since `begin`. */
static void show(const char *name, struct stamp begin, uint32_t each)
{
	struct stamp end = now();

	printf("%s cycles %lu instructions %lu\n", name,
	       (unsigned long)((end.cycle - begin.cycle - loop.cycle) / each),
	       (unsigned long)((end.instruction - begin.instruction - loop.instruction) / each));
}

/* Makes `call` CALLS times and prints the cost of one. `each`: number of counted operations in one call. */
#define MEASURE(name, each, call)                                                                  \
	do {                                                                                       \
		struct stamp begin_ = now();                                                       \
                                                                                                   \
		for (uint32_t i_ = 0; i_ < CALLS; i_++) {                                          \
			call;                                                                      \
			__asm__ volatile("" : : : "memory");                                       \
		}                                                                                  \
		show(name, begin_, CALLS *(each));                                                 \
	} while (0)

/* Measures the loop without a call, which show() subtracts. Call it before the first MEASURE. */
static void measure_loop(void)
{
	struct stamp begin = now();

	for (uint32_t i = 0; i < CALLS; i++) {
		__asm__ volatile("" : : : "memory");
	}

	struct stamp end = now();

	loop.cycle = end.cycle - begin.cycle;
	loop.instruction = end.instruction - begin.instruction;
}

/* The partner task: gives the processor back CALLS times, then answers every message. */
static void partner(void *arg)
{
	(void)arg;
	for (uint32_t call = 0; call < CALLS; call++) {
		taskYIELD();
	}
	for (;;) {
		uint32_t message;

		(void)xQueueReceive(there, &message, portMAX_DELAY);
		message++;
		(void)xQueueSend(back, &message, portMAX_DELAY);
	}
}

/* Sends a message to the partner and waits for its answer. */
static void ping(uint32_t *message)
{
	(void)xQueueSend(there, message, portMAX_DELAY);
	(void)xQueueReceive(back, message, portMAX_DELAY);
}

#endif /* BENCH_RTOS_CALLS_PER_CALL_H */
