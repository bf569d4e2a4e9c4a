/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: with the stress generator on a program takes longer and has the same result
engines: [rtl]
qemu: it has no such device
expect: |
  PASS
*/
#include <trapeze/timer.h>

#include "probe_test.h"

#define WORDS 64U

static uint32_t data[WORDS];
static volatile uint32_t blocks;

static void data_ready(void *arg)
{
	uint32_t *state = arg;

	for (uint32_t i = 0U; i < PROBE_WORDS; i++) {
		*state = probe_next_word(*state);
		CHECK_EQ(get(RANDOM(DATA)), *state);
	}
	blocks++;
}

/** Loads, stores and branches in all banks, and interrupts; returns what it computed. */
static uint32_t work(void)
{
	uint32_t state = 0x5eedU;
	uint32_t sum = 0U;
	volatile uint32_t local[8] = {0};

	blocks = 0U;
	put(RANDOM(SEED), state);
	for (uint32_t round = 0U; round < 4U; round++) {
		(void)irq_connect(PROBE_IRQ, data_ready, &state);
		put(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_START_MASK);
		for (uint32_t i = 0U; i < WORDS; i++) {
			data[i] = data[(i + 7U) % WORDS] * 5U + i;
			local[i & 7U] += data[i];
			sum += local[(i + 3U) & 7U] ^ (sum << 1);
		}
		while (blocks == round) {
		}
	}
	return sum;
}

/** Runs the work from the same initial data. Returns its result, and the cycles that it took. */
static uint32_t timed(uint32_t rate, uint32_t banks, uint32_t *cycles, uint32_t *accesses)
{
	for (uint32_t i = 0U; i < WORDS; i++) {
		data[i] = i;
	}
	put(STRESS(BANKS), banks);
	put(STRESS(RATE), rate);
	uint32_t begin = (uint32_t)timer_cycles();
	uint32_t sum = work();

	*cycles = (uint32_t)timer_cycles() - begin;
	*accesses = get(STRESS(ACCESSES));
	put(STRESS(RATE), 0U);
	return sum;
}

int main(void)
{
	uint32_t calm;
	uint32_t cycles;
	uint32_t accesses;

	test_begin();
	irq_enable(PROBE_IRQ);
	irq_unlock_all();
	uint32_t sum = timed(0U, 7U, &calm, &accesses);

	CHECK_EQ(accesses, 0U);
	for (uint32_t banks = 1U; banks < 8U; banks++) {
		CHECK_EQ(timed(192U, banks, &cycles, &accesses), sum);
		/* An access in three of four cycles. */
		CHECK(accesses > cycles / 8U * 5U);
		CHECK(accesses < cycles / 8U * 7U);
		CHECK(cycles > calm);
	}
	CHECK_EQ(timed(192U, 0U, &cycles, &accesses), sum);
	CHECK_EQ(accesses, 0U);
	CHECK_EQ(timed(0U, 7U, &cycles, &accesses), sum);
	CHECK_NO_TRAP();
	return test_end();
}
