/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: as uintr_answer, but with signals by way of machine mode
config: [duo-user]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/signal.h>

#include "uintr_test.h"

#define ROUNDS  2000U
#define TARGETS 7U
#define STOP    7U

TZ_SHARED static struct signal_thread asker;
TZ_SHARED static struct signal_thread answerer;
TZ_SHARED static volatile uint32_t received[64];
TZ_SHARED static volatile uint32_t strange;

static const uint8_t vectors[TARGETS] = {0, 1, 31, 32, 33, 62, 63};
static volatile uint32_t answers;
static volatile uint32_t answered_by;
static volatile bool done;

/* The ecall that leaves user mode is not a call of signals. */
static void no_call(void)
{
	__asm__ volatile("li a7, 0" : : : "a7");
}

/* Runs on hart 1. */
static void answer(unsigned int vector)
{
	received[vector] = received[vector] + 1U;
	(void)signal_send(0);
	if (vector == 40U) {
		done = true;
	}
}

static void answering(void)
{
	while (!done) {
		signal_suspend();
	}
	no_call();
}

/* Registers that a handler changes have the program's values again after it. */
static void spinning(void)
{
	uint32_t sum = 0U;
	uint32_t n;

	signal_mask(false);
	for (n = 0U; !done; n++) {
		sum += n;
	}
	signal_mask(true);
	CHECK_EQ(sum, (uint32_t)((uint64_t)n * (n - 1U) / 2U));
	no_call();
}

static void second(void *arg)
{
	test_begin();
	(void)irq_lock();
	open_all(true);
	signal_begin(&answerer, answer);
	user_call(arg != NULL ? spinning : answering);
	strange += trap_last.count + test_failures;
	done = false;
}

/* Runs on hart 0. */
static void take_answer(unsigned int vector)
{
	answers++;
	answered_by = vector;
}

static uint32_t asked[TARGETS];
static uint32_t number;

static void ask(unsigned int index)
{
	number++;
	CHECK(signal_send(index));
	while (answers != number) {
		signal_suspend();
	}
	CHECK_EQ(answered_by, 9U);
}

static void asking(void)
{
	uint32_t state = 1U;

	for (uint32_t round = 0U; round < ROUNDS; round++) {
		unsigned int index = next_random(&state) % TARGETS;

		asked[index]++;
		ask(index);
	}
	ask(STOP);
	CHECK(!signal_send(SIGNAL_TARGETS));
	CHECK(!signal_send(UINT32_MAX));
	no_call();
}

int main(void)
{
	test_begin();
	(void)irq_lock();
	open_all(true);
	for (uint32_t run = 0U; run < 2U; run++) {
		signal_thread_init(&asker, 0U);
		signal_thread_init(&answerer, 1U);
		for (unsigned int i = 0U; i < TARGETS; i++) {
			CHECK_EQ(signal_connect(&asker, i, &answerer, vectors[i]), 0);
		}
		CHECK_EQ(signal_connect(&asker, STOP, &answerer, 40U), 0);
		CHECK_EQ(signal_connect(&answerer, 0U, &asker, 9U), 0);
		signal_begin(&asker, take_answer);
		CHECK_EQ(hart_start(1U, second, (void *)run), 0);
		user_call(asking);
		hart_wait(1U);
	}

	uint32_t all = 0U;

	for (unsigned int vector = 0U; vector < 64U; vector++) {
		all += received[vector];
	}
	CHECK_EQ(all, number);
	for (unsigned int i = 0U; i < TARGETS; i++) {
		CHECK_EQ(received[vectors[i]], asked[i]);
	}
	CHECK_EQ(received[40], 2U);
	CHECK_EQ(answers, number);
	CHECK_EQ(strange, 0U);
	CHECK_NO_TRAP();
	return test_end();
}
