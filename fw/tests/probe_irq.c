/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the measurement with its interrupt, block by block, past the end of the sample memory
engines: [rtl]
qemu: it has no such device
expect: |
  PASS
*/
#include "probe_test.h"

#define PERIOD 3000U
#define BLOCKS 20U

static volatile uint32_t blocks;
static uint32_t state = 0x600dU;

static void data_ready(void *arg)
{
	(void)arg;
	put(TIMER(STATUS), TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_MASK);
	for (uint32_t i = 0U; i < PROBE_WORDS; i++) {
		state = probe_next_word(state);
		CHECK_EQ(get(RANDOM(DATA)), state);
	}
	CHECK_EQ(get(RANDOM(STATUS)), 0U);
	blocks++;
	if (blocks == BLOCKS) {
		put(TIMER(CONTROL), 0U);
	}
}

int main(void)
{
	volatile uint32_t work = 0U;

	test_begin();
	(void)irq_connect(PROBE_IRQ, data_ready, NULL);
	irq_enable(PROBE_IRQ);
	irq_unlock_all();
	put(RANDOM(SEED), state);
	put(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_ENABLE_MASK);
	put(PROBE(0, CONTROL), TRAPEZE_PROBE_CONTROL_WE_MASK | TRAPEZE_PROBE_CONTROL_CLEAR_MASK);
	put(PROBE(1, CONTROL), TRAPEZE_PROBE_CONTROL_WE_MASK | TRAPEZE_PROBE_CONTROL_CLEAR_MASK);
	put(TIMER(PERIOD), PERIOD);
	put(TIMER(CONTROL), TRAPEZE_TIMERS_CHANNEL_CONTROL_ENABLE_MASK);
	while (blocks < BLOCKS) {
		work++;
	}
	put(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_ACK_MASK);
	irq_disable(PROBE_IRQ);

	CHECK_EQ(blocks, BLOCKS);
	CHECK(work > BLOCKS);
	CHECK_EQ(get(PROBE(0, CONTROL)),
		 TRAPEZE_PROBE_CONTROL_WE_MASK | (BLOCKS << TRAPEZE_PROBE_CONTROL_NUM_SHIFT));
	CHECK_EQ(get(PROBE(1, CONTROL)),
		 TRAPEZE_PROBE_CONTROL_WE_MASK | (BLOCKS << TRAPEZE_PROBE_CONTROL_NUM_SHIFT));
	CHECK_EQ(get(PROBE(0, MIN)), PROBE_CYCLES);
	CHECK_EQ(get(PROBE(0, MAX)), PROBE_CYCLES);
	CHECK(get(PROBE(1, MIN)) > PROBE_WORDS);
	CHECK(get(PROBE(1, MAX)) < PERIOD);
	for (uint32_t i = 0U; i < BLOCKS; i++) {
		CHECK_EQ(get(TRAPEZE_PROBE_SAMPLES0_BASE + 4U * i), PROBE_CYCLES);
		CHECK(get(TRAPEZE_PROBE_SAMPLES1_BASE + 4U * i) >= get(PROBE(1, MIN)));
		CHECK(get(TRAPEZE_PROBE_SAMPLES1_BASE + 4U * i) <= get(PROBE(1, MAX)));
	}
	CHECK_NO_TRAP();
	return test_end();
}
