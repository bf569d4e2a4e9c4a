/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a latency that is too large for its bits is recorded as the largest value, in both probes, and a flag says so
config: [mcu-fastirq]
engines: [rtl]
qemu: it has no such device
expect: |
  PASS
*/
#include <trapeze/csr.h>

#include "probe_test.h"

#define READY   TRAPEZE_RANDOM_STATUS_READY_MASK
#define LARGEST 0xffffU

static void wait_long(void)
{
	uint32_t start = (uint32_t)csr_read(CSR_MCYCLE);

	while ((uint32_t)csr_read(CSR_MCYCLE) - start < LARGEST + 100U) {
	}
}

static void start_block(void)
{
	put(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_START_MASK);
	while ((get(RANDOM(STATUS)) & READY) == 0U) {
	}
}

static void check_overflow(uint32_t control, uint32_t last)
{
	while (probe_num(get(control)) == 0U) {
	}
	CHECK_EQ(get(control), TRAPEZE_PROBE_CONTROL_WE_MASK | TRAPEZE_PROBE_CONTROL_OVERFLOW_MASK |
				   (1UL << TRAPEZE_PROBE_CONTROL_NUM_SHIFT));
	CHECK_EQ(get(last), LARGEST);
}

int main(void)
{
	test_begin();
	put(PROBE(0, CONTROL), TRAPEZE_PROBE_CONTROL_WE_MASK | TRAPEZE_PROBE_CONTROL_CLEAR_MASK);
	put(PROBE(1, CONTROL), TRAPEZE_PROBE_CONTROL_WE_MASK | TRAPEZE_PROBE_CONTROL_CLEAR_MASK);
	/* A block begins the measurement of probe 1. The timer begins that of probe 0, which the next block ends. */
	start_block();
	put(TIMER(PERIOD), 1U);
	put(TIMER(CONTROL), TRAPEZE_TIMERS_CHANNEL_CONTROL_ENABLE_MASK |
				TRAPEZE_TIMERS_CHANNEL_CONTROL_ONE_SHOT_MASK);
	wait_long();
	for (uint32_t i = 0U; i < PROBE_WORDS; i++) {
		(void)get(RANDOM(DATA));
	}
	start_block();
	check_overflow(PROBE(0, CONTROL), PROBE(0, LAST));
	check_overflow(PROBE(1, CONTROL), PROBE(1, LAST));
	CHECK_NO_TRAP();
	return test_end();
}
