/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: hart 0 posts vectors, hart 1's handler in user mode counts them and answers each; none is lost, none comes
  twice
config: [duo-user]
engines: [rtl]
qemu: it has no user interrupts
expect: |
  PASS
*/
#include "uintr_test.h"

#ifndef ROUNDS
#define ROUNDS 2000U
#endif
#define TARGETS 7U
#define STOP    7U /* vector that ends the test, and its answer */

TZ_SHARED static struct uintr_thread asker;
TZ_SHARED static struct uintr_thread answerer;
TZ_SHARED static volatile uint32_t received[UINTR_VECTORS];
TZ_SHARED static volatile uint32_t strange; /* exceptions of hart 1 */

static const uint8_t vectors[TARGETS] = {0, 1, 31, 32, 33, 62, 63};
static volatile uint32_t answers;
static volatile uint32_t answered_by;
static volatile bool done;

/* Runs on hart 1. */
static void answer(unsigned int vector)
{
	received[vector] = received[vector] + 1U;
	uintr_send(0);
	if (vector == 40U) {
		done = true;
	}
}

static void answering(void)
{
	uintr_disable();
	while (!done) {
		uintr_wait();
	}
}

static void second(void *arg)
{
	(void)arg;
	uintr_become(&answerer, answer);
	user_call(answering);
	uintr_switch_out(&answerer);
	strange = trap_last.count;
}

/* Runs on hart 0. */
static void take_answer(unsigned int vector)
{
	answers++;
	answered_by = vector;
}

static void ask(unsigned int index, uint32_t number)
{
	uintr_send(index);
	while (answers != number) {
		uintr_wait();
	}
}

static uint32_t asked[TARGETS];

static void asking(void)
{
	uint32_t state = 1U;

	uintr_disable();
	for (uint32_t round = 0U; round < ROUNDS; round++) {
		unsigned int index = next_random(&state) % TARGETS;

		asked[index]++;
		ask(index, round + 1U);
		CHECK_EQ(answered_by, 9U);
	}
	ask(STOP, ROUNDS + 1U);
}

int main(void)
{
	uintr_thread_init(&asker, UINTR_RUNNING);
	uintr_thread_init(&answerer, UINTR_RUNNING);
	for (unsigned int i = 0U; i < TARGETS; i++) {
		CHECK_EQ(uintr_connect(&asker, i, &answerer, vectors[i]), 0);
	}
	CHECK_EQ(uintr_connect(&asker, STOP, &answerer, 40U), 0);
	CHECK_EQ(uintr_connect(&answerer, 0U, &asker, 9U), 0);
	CHECK(uintr_connect(&asker, UINTR_TARGETS, &answerer, 0U) != 0);
	CHECK(uintr_connect(&asker, 0U, &answerer, UINTR_VECTORS) != 0);

	uintr_become(&asker, take_answer);
	CHECK_EQ(hart_start(1U, second, NULL), 0);
	user_call(asking);
	hart_wait(1U);

	uint32_t all = 0U;

	for (unsigned int vector = 0U; vector < UINTR_VECTORS; vector++) {
		all += received[vector];
	}
	CHECK_EQ(all, ROUNDS + 1U);
	for (unsigned int i = 0U; i < TARGETS; i++) {
		CHECK_EQ(received[vectors[i]], asked[i]);
	}
	CHECK_EQ(received[40], 1U);
	CHECK_EQ(answers, ROUNDS + 1U);
	CHECK_EQ(strange, 0U);
	CHECK_NO_TRAP();
	return test_end();
}
