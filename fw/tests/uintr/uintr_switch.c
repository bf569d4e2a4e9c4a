/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: two threads alternate on hart 1, and move to hart 0 and back, while both receive posts; no post is lost, none
  comes twice
config: [duo-user]
engines: [rtl]
qemu: it has no user interrupts
expect: |
  PASS
*/
#include "uintr_test.h"

#define ROUNDS  300U
#define POSTS   4U /* of hart 0 in a round */
#define THREADS 2U

TZ_SHARED static struct uintr_thread poster;
TZ_SHARED static struct uintr_thread threads[THREADS];
TZ_SHARED static volatile uint32_t sent[THREADS];
TZ_SHARED static volatile uint32_t seen[THREADS];
TZ_SHARED static volatile uint32_t handled[THREADS];
TZ_SHARED static volatile uint32_t wrong; /* a vector came to the wrong thread */
TZ_SHARED static uint32_t finished;
TZ_SHARED static volatile uint32_t strange;

static volatile uint32_t running; /* number of the thread that runs on this hart */

/* Vector n belongs to thread n. */
static void handler(unsigned int vector)
{
	if (vector != running) {
		wrong++;
	}
	handled[vector] = handled[vector] + 1U;
	seen[vector] = sent[vector];
}

static volatile uint32_t turns;

/* Runs as a thread: pending posts come, and some of those made meanwhile. */
static void turn(void)
{
	uint32_t length = turns % 37U;

	uintr_enable();
	for (uint32_t i = 0U; i < length; i++) {
		__asm__ volatile("nop");
	}
	uintr_disable();
	turns++;
}

static void run_turn(unsigned int thread)
{
	running = thread;
	uintr_switch_in(&threads[thread]);
	user_call(turn);
	uintr_switch_out(&threads[thread]);
}

static void second(void *arg)
{
	(void)arg;
	uintr_become(&threads[0], handler);
	uintr_switch_out(&threads[0]);
	while (__atomic_load_n(&finished, __ATOMIC_SEQ_CST) == 0U) {
		run_turn(turns / 3U % THREADS);
	}
	strange = trap_last.count;
}

static void posting(void)
{
	uint32_t state = 5U;

	for (uint32_t n = 0U; n < ROUNDS * POSTS; n++) {
		uint32_t random = next_random(&state);
		unsigned int thread = random % THREADS;

		sent[thread] = sent[thread] + 1U;
		uintr_send(thread);
		for (uint32_t i = 0U; i < (random >> 8) % 64U; i++) {
			__asm__ volatile("nop");
		}
	}
}

int main(void)
{
	uintr_thread_init(&poster, UINTR_RUNNING);
	for (unsigned int n = 0U; n < THREADS; n++) {
		uintr_thread_init(&threads[n], UINTR_RUNNING);
		CHECK_EQ(uintr_connect(&poster, n, &threads[n], n), 0);
	}
	uintr_become(&poster, handler);
	CHECK_EQ(hart_start(1U, second, NULL), 0);
	user_call(posting);
	__atomic_store_n(&finished, 1U, __ATOMIC_SEQ_CST);
	hart_wait(1U);
	uintr_switch_out(&poster);
	CHECK_EQ(strange, 0U);

	/* Posts that are still pending come on this hart. */
	for (unsigned int n = 0U; n < THREADS; n++) {
		run_turn(n);
		CHECK_EQ(seen[n], sent[n]);
		CHECK(handled[n] <= sent[n]);
		CHECK(handled[n] > sent[n] / 8U);
	}
	CHECK_EQ(sent[0] + sent[1], ROUNDS * POSTS);
	CHECK_EQ(wrong, 0U);
	CHECK_NO_TRAP();
	return test_end();
}
