/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: both harts post to each other without waiting; after each post the receiver's handler runs, and never without
  a post
config: [duo-user]
engines: [rtl]
qemu: it has no user interrupts
expect: |
  PASS
*/
#include "uintr_test.h"

#define POSTS   3000U
#define TARGETS 4U

TZ_SHARED static struct uintr_thread threads[2];
TZ_SHARED static volatile uint32_t sent[2][TARGETS];    /* posts so far, by receiver and target */
TZ_SHARED static volatile uint32_t seen[2][TARGETS];    /* posts that the handler saw last */
TZ_SHARED static volatile uint32_t handled[2][TARGETS]; /* how often the handler ran */
TZ_SHARED static uint32_t finished[2];
TZ_SHARED static volatile uint32_t strange;

static unsigned int self; /* user mode cannot read mhartid */

static void handler(unsigned int vector)
{
	unsigned int target = vector / 20U;

	handled[self][target] = handled[self][target] + 1U;
	seen[self][target] = sent[self][target];
}

static bool all_seen(void)
{
	for (unsigned int i = 0U; i < TARGETS; i++) {
		if (seen[self][i] != sent[self][i]) {
			return false;
		}
	}
	return true;
}

static void program(void)
{
	unsigned int other = 1U - self;
	uint32_t state = 77U + self;

	uintr_enable();
	for (uint32_t n = 0U; n < POSTS; n++) {
		uint32_t random = next_random(&state);
		unsigned int target = random % TARGETS;

		if ((random & 0x700U) == 0U) {
			uintr_disable();
		} else {
			uintr_enable();
		}
		sent[other][target] = sent[other][target] + 1U;
		uintr_send(target);
	}
	uintr_enable();
	__atomic_store_n(&finished[self], 1U, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&finished[other], __ATOMIC_SEQ_CST) == 0U) {
	}
	/* If a post were lost, this loop would not end. */
	while (!all_seen()) {
	}
}

static void play(void *arg)
{
	(void)arg;
	self = hart_id();
	uintr_become(&threads[self], handler);
	user_call(program);
	uintr_switch_out(&threads[self]);
	if (self == 1U) {
		strange = trap_last.count;
	}
}

int main(void)
{
	for (unsigned int n = 0U; n < 2U; n++) {
		uintr_thread_init(&threads[n], UINTR_RUNNING);
	}
	for (unsigned int n = 0U; n < 2U; n++) {
		for (unsigned int i = 0U; i < TARGETS; i++) {
			CHECK_EQ(uintr_connect(&threads[n], i, &threads[1U - n], 20U * i), 0);
		}
	}
	CHECK_EQ(hart_start(1U, play, NULL), 0);
	play(NULL);
	hart_wait(1U);
	for (unsigned int n = 0U; n < 2U; n++) {
		uint32_t all = 0U;

		for (unsigned int i = 0U; i < TARGETS; i++) {
			CHECK_EQ(seen[n][i], sent[n][i]);
			CHECK(handled[n][i] <= sent[n][i]);
			all += sent[n][i];
		}
		CHECK_EQ(all, POSTS);
	}
	CHECK_EQ(strange, 0U);
	CHECK_NO_TRAP();
	return test_end();
}
