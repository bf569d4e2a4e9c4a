/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs litmus tests on harts 0 and 1. Hart 1 begins FIRST to LAST cycles later than hart 0, REPEAT times each. Prints
 * how often each outcome came. verify.dev.litmus makes the threads and judges the outcomes.
 */
#include <stdint.h>
#include <stdio.h>

#include <trapeze/csr.h>
#include <trapeze/hart.h>

#define LEAD   250U /* cycles in which both harts reach their row of nops */
#define VALUES 256U /* number of outcomes: two bits for each register and variable */
#define BITS   2U
#define MASK   3U

/* A thread: runs from cycle @p start on, and stores the registers that it loads. Returns 1 if it came too late. */
typedef uint32_t (*thread_t)(uint32_t start, volatile uint32_t *registers);

#define LITMUS(name, first, second)                                                                \
	uint32_t first(uint32_t, volatile uint32_t *), second(uint32_t, volatile uint32_t *);
#include "litmus_tests.h"
#undef LITMUS

static const struct {
	const char *name;
	thread_t threads[2];
} tests[] = {
#define LITMUS(name, first, second) {name, {first, second}},
#include "litmus_tests.h"
};

TZ_SHARED uint32_t litmus_x;
TZ_SHARED uint32_t litmus_between[16];
TZ_SHARED uint32_t litmus_y;
TZ_SHARED static volatile uint32_t registers[2];
TZ_SHARED static volatile uint32_t test;
TZ_SHARED static volatile uint32_t start;
TZ_SHARED static uint32_t go;
TZ_SHARED static uint32_t done;
TZ_SHARED static uint32_t late;

static void second(void *arg)
{
	(void)arg;
	for (uint32_t round = 1U;; round++) {
		while (__atomic_load_n(&go, __ATOMIC_ACQUIRE) != round) {
		}
		late += tests[test].threads[1](start, registers);
		__atomic_store_n(&done, round, __ATOMIC_RELEASE);
	}
}

/* Runs one test once; returns its outcome. */
static uint32_t run(uint32_t which, int offset)
{
	static uint32_t round;

	*(volatile uint32_t *)&litmus_x = 0U;
	*(volatile uint32_t *)&litmus_y = 0U;
	registers[0] = 0U;
	registers[1] = 0U;
	test = which;

	uint32_t begin = csr_read(CSR_MCYCLE) + LEAD;

	start = begin + (uint32_t)(offset > 0 ? offset : 0);
	__atomic_store_n(&go, ++round, __ATOMIC_RELEASE);

	uint32_t own =
	    tests[which].threads[0](begin + (uint32_t)(offset < 0 ? -offset : 0), registers);

	while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) != round) {
	}
	late += own;
	return (registers[0] | registers[1] << BITS | litmus_x << (2U * BITS) |
		litmus_y << (3U * BITS)) %
	       VALUES;
}

int main(void)
{
	static uint32_t counts[VALUES];

	if (hart_start(1U, second, NULL) != 0) {
		return 1;
	}
	for (uint32_t one = 0U; one < sizeof(tests) / sizeof(tests[0]); one++) {
		for (uint32_t outcome = 0U; outcome < VALUES; outcome++) {
			counts[outcome] = 0U;
		}
		for (int offset = FIRST; offset <= LAST; offset++) {
			for (int again = 0; again < REPEAT; again++) {
				counts[run(one, offset)]++;
			}
		}
		for (uint32_t outcome = 0U; outcome < VALUES; outcome++) {
			if (counts[outcome] != 0U) {
				printf("%s", tests[one].name);
				for (uint32_t place = 0U; place < 4U; place++) {
					printf(" %u",
					       (unsigned int)(outcome >> (place * BITS) & MASK));
				}
				printf(" %u\n", (unsigned int)counts[outcome]);
			}
		}
	}
	printf("late %u\n", (unsigned int)late);
	return 0;
}
