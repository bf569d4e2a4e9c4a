/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: each bit of a latency, of the number of records, of a sample's address and of the stress generator's rate
config: [mcu-fastirq]
engines: [rtl]
qemu: it has no such device
expect: |
  PASS
*/
#include <trapeze/csr.h>

#include "probe_test.h"

#define ENABLE   TRAPEZE_TIMERS_CHANNEL_CONTROL_ENABLE_MASK
#define ONE_SHOT TRAPEZE_TIMERS_CHANNEL_CONTROL_ONE_SHOT_MASK
#define START    TRAPEZE_RANDOM_CONTROL_START_MASK
#define READY    TRAPEZE_RANDOM_STATUS_READY_MASK
#define EXPIRED  TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_MASK
#define SLACK    1000U
#define RECORDS  129U
#define RATED    1000U

static void wait_until(uint32_t start, uint32_t cycles)
{
	while ((uint32_t)csr_read(CSR_MCYCLE) - start < cycles) {
	}
}

/* Makes a record in both probes: from the timer to the block, and from the block to its last word. */
static void record(uint32_t t1, uint32_t t2)
{
	uint32_t start = (uint32_t)csr_read(CSR_MCYCLE);

	put(TIMER(CONTROL), ENABLE | ONE_SHOT);
	wait_until(start, t1);
	put(RANDOM(CONTROL), START);
	while ((get(RANDOM(STATUS)) & READY) == 0U) {
	}
	put(TIMER(STATUS), EXPIRED);
	start = (uint32_t)csr_read(CSR_MCYCLE);
	wait_until(start, t2);
	for (uint32_t i = 0U; i < PROBE_WORDS; i++) {
		(void)get(RANDOM(DATA));
	}
}

static void begin(void)
{
	put(TIMER(PERIOD), 1U);
	put(PROBE(0, CONTROL), TRAPEZE_PROBE_CONTROL_WE_MASK | TRAPEZE_PROBE_CONTROL_CLEAR_MASK);
	put(PROBE(1, CONTROL), TRAPEZE_PROBE_CONTROL_WE_MASK | TRAPEZE_PROBE_CONTROL_CLEAR_MASK);
}

static void check_near(uint32_t latency, uint32_t cycles)
{
	CHECK(latency >= cycles);
	CHECK(latency < cycles + SLACK);
}

static void check_latencies(void)
{
	static const uint32_t both[][2] = {
	    {0x2aaaU, 0x1555U}, {0x1555U, 0x2aaaU}, {0x0f0fU, 0x00f0U}, {0x00f0U, 0x0f0fU}};
	const uint32_t count = sizeof(both) / sizeof(both[0]);

	begin();
	for (uint32_t i = 0U; i < count; i++) {
		record(both[i][0], both[i][1]);
		check_near(get(PROBE(0, LAST)), both[i][0]);
		check_near(get(PROBE(1, LAST)), both[i][1]);
		CHECK_EQ(get(TRAPEZE_PROBE_SAMPLES0_BASE + 4U * i), get(PROBE(0, LAST)));
		CHECK_EQ(get(TRAPEZE_PROBE_SAMPLES1_BASE + 4U * i), get(PROBE(1, LAST)));
	}
	for (uint32_t i = 0U; i < count; i++) {
		check_near(get(TRAPEZE_PROBE_SAMPLES0_BASE + 4U * i), both[i][0]);
		check_near(get(TRAPEZE_PROBE_SAMPLES1_BASE + 4U * i), both[i][1]);
	}
	check_near(get(PROBE(0, MAX)), 0x2aaaU);
	check_near(get(PROBE(1, MAX)), 0x2aaaU);
	check_near(get(PROBE(0, MIN)), 0x00f0U);
	check_near(get(PROBE(1, MIN)), 0x00f0U);
}

static void check_records(void)
{
	begin();
	for (uint32_t i = 1U; i <= RECORDS; i++) {
		record((i ^ (i >> 4)) & 63U, (i >> 2) & 63U);
		CHECK_EQ(probe_num(get(PROBE(0, CONTROL))), i);
		CHECK_EQ(probe_num(get(PROBE(1, CONTROL))), i);
		CHECK_EQ(get(TRAPEZE_PROBE_SAMPLES0_BASE + 4U * (i - 1U)), get(PROBE(0, LAST)));
		CHECK_EQ(get(TRAPEZE_PROBE_SAMPLES1_BASE + 4U * (i - 1U)), get(PROBE(1, LAST)));
	}
}

/* The measurement of probe 1 is never ended, so every further block that is acknowledged without being read counts as
 * missed.
 */
static void check_missed(void)
{
	begin();
	for (uint32_t i = 0U; i < 40U; i++) {
		put(RANDOM(CONTROL), START);
		while ((get(RANDOM(STATUS)) & READY) == 0U) {
		}
		CHECK_EQ(probe_missed(get(PROBE(1, CONTROL))), i);
		put(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_ACK_MASK);
	}
}

/* Each bit of the rate alone, and each bank alone: the generator makes accesses, also while the program does not access
 * it.
 */
static void check_rates(void)
{
	for (uint32_t bit = 0U; bit < 8U; bit++) {
		put(STRESS(BANKS), 1UL << (bit % 3U));
		put(STRESS(RATE), 1UL << bit);
		wait_until((uint32_t)csr_read(CSR_MCYCLE), RATED);

		uint32_t accesses = get(STRESS(ACCESSES));

		put(STRESS(RATE), 0U);
		CHECK(accesses >= (RATED << bit) / 512U);
	}
}

int main(void)
{
	test_begin();
	check_rates(); /* first: a measurement in progress keeps the clock running */
	check_latencies();
	check_records();
	check_missed();
	CHECK_NO_TRAP();
	return test_end();
}
