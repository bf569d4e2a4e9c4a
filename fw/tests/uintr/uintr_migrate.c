/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a thread moves from hart to hart and back, hundreds of times, while the other hart posts to it; no post is lost
config: [duo-user]
engines: [rtl]
qemu: it has no user interrupts
expect: |
  PASS
*/
#include "uintr_test.h"

#define MOVES   300U
#define VECTORS 4U

TZ_SHARED static struct uintr_thread mover;
TZ_SHARED static struct uintr_thread posters[2];
TZ_SHARED static volatile uint32_t place; /* number of moves; even: the thread is on hart 0 */
TZ_SHARED static volatile uint32_t sent[VECTORS];
TZ_SHARED static volatile uint32_t seen[VECTORS];
TZ_SHARED static volatile uint32_t handled;
TZ_SHARED static volatile uint32_t strange;

static unsigned int self; /* user mode cannot read mhartid */
static uint32_t state;
static uint32_t ran;
static uint32_t all;

static void handler(unsigned int vector)
{
	handled = handled + 1U;
	seen[vector] = sent[vector];
}

/* Runs as the thread that moves: pending posts come, and some of those made meanwhile. */
static void turn(void)
{
	uint32_t length = place % 41U;

	uintr_enable();
	for (uint32_t i = 0U; i < length; i++) {
		__asm__ volatile("nop");
	}
	uintr_disable();
}

/* Runs as this hart's poster, until the thread moves here. */
static void posting(void)
{
	while (place < MOVES && place % 2U != self) {
		uint32_t random = next_random(&state);
		uint32_t vector = random % VECTORS;

		sent[vector] = sent[vector] + 1U;
		uintr_send(vector);
		for (uint32_t i = 0U; i < (random >> 8) % 32U; i++) {
			__asm__ volatile("nop");
		}
	}
}

static void run_as(struct uintr_thread *thread, void (*program)(void))
{
	uintr_switch_in(thread);
	user_call(program);
	uintr_switch_out(thread);
}

static void play(void *arg)
{
	(void)arg;
	self = hart_id();
	state = 21U + self;
	uintr_become(&posters[self], handler);
	uintr_switch_out(&posters[self]);
	while (place < MOVES) {
		if (place % 2U != self) {
			run_as(&posters[self], posting);
			continue;
		}
		run_as(&mover, turn);
		ran++;
		__atomic_store_n(&place, place + 1U, __ATOMIC_SEQ_CST);
	}
	if (self == 1U) {
		strange = trap_last.count + (ran < MOVES / 2U ? 1U : 0U);
	}
}

int main(void)
{
	uintr_thread_init(&mover, UINTR_RUNNING);
	for (unsigned int n = 0U; n < 2U; n++) {
		uintr_thread_init(&posters[n], UINTR_RUNNING);
		for (unsigned int i = 0U; i < VECTORS; i++) {
			CHECK_EQ(uintr_connect(&posters[n], i, &mover, i), 0);
		}
	}
	CHECK_EQ(hart_start(1U, play, NULL), 0);
	play(NULL);
	hart_wait(1U);

	/* Posts that are still pending come on this hart. */
	run_as(&mover, turn);
	for (unsigned int i = 0U; i < VECTORS; i++) {
		CHECK_EQ(seen[i], sent[i]);
		all += sent[i];
	}
	CHECK(all > MOVES);
	CHECK(handled <= all);
	CHECK_EQ(ran, MOVES / 2U);
	CHECK_EQ(strange, 0U);
	CHECK_NO_TRAP();
	return test_end();
}
