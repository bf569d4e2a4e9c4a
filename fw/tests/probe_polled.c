/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: blocks of random words, timers and probes without interrupts, with missed and lost starts
engines: [rtl]
qemu: it has no such device
expect: |
  PASS
*/
#include "probe_test.h"

#define ENABLE   TRAPEZE_TIMERS_CHANNEL_CONTROL_ENABLE_MASK
#define PULSE    TRAPEZE_TIMERS_CHANNEL_CONTROL_PULSE_MASK
#define ONE_SHOT TRAPEZE_TIMERS_CHANNEL_CONTROL_ONE_SHOT_MASK
#define READY    TRAPEZE_RANDOM_STATUS_READY_MASK
#define BUSY     TRAPEZE_RANDOM_STATUS_BUSY_MASK
#define OVERRUN  TRAPEZE_RANDOM_STATUS_OVERRUN_MASK

static void wait_for(uint32_t address, uint32_t bits)
{
	while ((get(address) & bits) != bits) {
	}
}

/** Reads a block, and returns the generator's state after it. */
static uint32_t check_block(uint32_t state)
{
	for (uint32_t left = PROBE_WORDS; left > 0U; left--) {
		CHECK_EQ(get(RANDOM(STATUS)), READY | (left << TRAPEZE_RANDOM_STATUS_WORDS_SHIFT));
		state = probe_next_word(state);
		CHECK_EQ(get(RANDOM(DATA)), state);
	}
	CHECK_EQ(get(RANDOM(STATUS)), 0U);
	CHECK_EQ(get(RANDOM(DATA)), 0U);
	CHECK_EQ(get(RANDOM(SEED)), state);
	return state;
}

static void check_generator(void)
{
	uint32_t state = 0xcafe1234U;

	put(RANDOM(SEED), state);
	for (uint32_t i = 0U; i < 3U; i++) {
		put(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_START_MASK);
		CHECK((get(RANDOM(STATUS)) & (READY | BUSY)) != 0U);
		wait_for(RANDOM(STATUS), READY);
		CHECK(irq_is_pending(PROBE_IRQ));
		state = check_block(state);
		CHECK(!irq_is_pending(PROBE_IRQ));
	}
	/* A start before the block was read is lost. A flag says so until the acknowledge. */
	put(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_START_MASK);
	wait_for(RANDOM(STATUS), READY);
	put(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_START_MASK);
	CHECK_EQ(get(RANDOM(STATUS)),
		 READY | OVERRUN | (PROBE_WORDS << TRAPEZE_RANDOM_STATUS_WORDS_SHIFT));
	put(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_ACK_MASK);
	CHECK_EQ(get(RANDOM(STATUS)), 0U);
	CHECK(!irq_is_pending(PROBE_IRQ));
}

static void check_timers(void)
{
	for (uint32_t i = 0U; i < TRAPEZE_TIMERS_CHANNEL_STATUS_COUNT; i++) {
		uint32_t at = i * TRAPEZE_TIMERS_CHANNEL_STATUS_STRIDE;

		put(TIMER(PERIOD) + at, 20U);
		put(TIMER(CONTROL) + at, ENABLE | ONE_SHOT);
		wait_for(TIMER(STATUS) + at, TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_MASK);
		CHECK_EQ(get(TIMER(CONTROL) + at), ONE_SHOT);
		CHECK_EQ(get(TIMER(COUNT) + at), 0U);
		put(TIMER(STATUS) + at, TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_MASK);
		CHECK_EQ(get(TIMER(STATUS) + at), 0U);

		/* With a long period the timer counts up and does not expire here. */
		put(TIMER(PERIOD) + at, 0U);
		put(TIMER(CONTROL) + at, ENABLE);
		uint32_t first = get(TIMER(COUNT) + at);
		uint32_t second = get(TIMER(COUNT) + at);

		CHECK(second > first);
		CHECK(second < 100000U);
		put(TIMER(CONTROL) + at, 0U);
		first = get(TIMER(COUNT) + at);
		CHECK_EQ(get(TIMER(COUNT) + at), first);
		CHECK_EQ(get(TIMER(STATUS) + at), 0U);
	}
}

/** Without an acknowledge: one measurement is in progress, and every further interrupt counts as missed. */
static void check_missed(void)
{
	put(PROBE(0, CONTROL), TRAPEZE_PROBE_CONTROL_WE_MASK | TRAPEZE_PROBE_CONTROL_CLEAR_MASK);
	put(TIMER(PERIOD), 8U);
	put(TIMER(CONTROL), ENABLE | PULSE);
	while (probe_missed(get(PROBE(0, CONTROL))) < 255U) {
	}
	for (uint32_t i = 0U; i < 8U; i++) {
		CHECK_EQ(probe_missed(get(PROBE(0, CONTROL))), 255U);
	}
	put(TIMER(CONTROL), 0U);
	CHECK_EQ(probe_num(get(PROBE(0, CONTROL))), 0U);
	put(PROBE(0, CONTROL), TRAPEZE_PROBE_CONTROL_CLEAR_MASK);
	CHECK_EQ(get(PROBE(0, CONTROL)), 0U);
	put(TIMER(STATUS), TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_MASK);
}

/** T1 and T2 of some blocks. T1 does not depend on how the timer is acknowledged. */
static void check_measurement(void)
{
	const uint32_t blocks = 5U;

	put(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_ENABLE_MASK);
	put(PROBE(0, ALARM_LAT), PROBE_CYCLES);
	put(PROBE(1, ALARM_LAT), 1U);
	put(PROBE(0, CONTROL), TRAPEZE_PROBE_CONTROL_WE_MASK | TRAPEZE_PROBE_CONTROL_CLEAR_MASK);
	put(PROBE(1, CONTROL), TRAPEZE_PROBE_CONTROL_WE_MASK | TRAPEZE_PROBE_CONTROL_CLEAR_MASK);
	put(TIMER(PERIOD), 100U);
	for (uint32_t i = 0U; i < blocks; i++) {
		put(TIMER(CONTROL), ENABLE | ONE_SHOT | ((i & 1U) != 0U ? PULSE : 0U));
		wait_for(RANDOM(STATUS), READY);
		put(TIMER(STATUS), TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_MASK);
		for (uint32_t k = 0U; k < PROBE_WORDS; k++) {
			(void)get(RANDOM(DATA));
		}
	}
	put(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_ACK_MASK);
	CHECK_EQ(get(PROBE(0, CONTROL)),
		 TRAPEZE_PROBE_CONTROL_WE_MASK | (blocks << TRAPEZE_PROBE_CONTROL_NUM_SHIFT));
	CHECK_EQ(get(PROBE(1, CONTROL)), TRAPEZE_PROBE_CONTROL_WE_MASK |
					     TRAPEZE_PROBE_CONTROL_ALARM_MASK |
					     (blocks << TRAPEZE_PROBE_CONTROL_NUM_SHIFT));
	CHECK_EQ(get(PROBE(0, LAST)), PROBE_CYCLES);
	CHECK_EQ(get(PROBE(0, MAX)), PROBE_CYCLES);
	CHECK_EQ(get(PROBE(0, MIN)), PROBE_CYCLES);

	uint32_t max = 0U;
	uint32_t min = UINT32_MAX;
	uint32_t last = 0U;

	for (uint32_t i = 0U; i < blocks; i++) {
		CHECK_EQ(get(TRAPEZE_PROBE_SAMPLES0_BASE + 4U * i), PROBE_CYCLES);
		last = get(TRAPEZE_PROBE_SAMPLES1_BASE + 4U * i);
		CHECK(last >= PROBE_WORDS);
		max = last > max ? last : max;
		min = last < min ? last : min;
	}
	CHECK_EQ(get(PROBE(1, LAST)), last);
	CHECK_EQ(get(PROBE(1, MAX)), max);
	CHECK_EQ(get(PROBE(1, MIN)), min);

	put(PROBE(1, CONTROL), TRAPEZE_PROBE_CONTROL_CLEAR_MASK);
	CHECK_EQ(get(PROBE(1, CONTROL)), 0U);
	CHECK_EQ(get(PROBE(1, LAST)), 0U);
	CHECK_EQ(get(PROBE(1, MAX)), 0U);
	CHECK_EQ(get(PROBE(1, MIN)), 0U);
	CHECK_EQ(get(PROBE(1, ALARM_LAT)), 1U);
	CHECK_EQ(get(TRAPEZE_PROBE_SAMPLES1_BASE + 4U * (blocks - 1U)), last);
}

int main(void)
{
	test_begin();
	check_generator();
	check_timers();
	check_missed();
	check_measurement();
	CHECK_NO_TRAP();
	return test_end();
}
