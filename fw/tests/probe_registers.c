/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the registers of the latency measurement - the bits that they keep, and the accesses that are bus errors
engines: [rtl]
qemu: it has no such device
expect: |
  PASS
*/
#include "probe_test.h"

/** Checks a register's value after reset, and the bits that it keeps of all ones. Then restores it. */
static void check_register(uint32_t address, uint32_t reset, uint32_t kept)
{
	CHECK_EQ(get(address), reset);
	put(address, UINT32_MAX);
	CHECK_EQ(get(address), kept);
	put(address, reset);
	CHECK_EQ(get(address), reset);
}

static void check_fault(uint32_t cause)
{
	CHECK_EQ(trap_last.count, 1U);
	CHECK_EQ(trap_last.mcause, cause);
	trap_clear();
}

/** Accesses narrower than a word are bus errors and change nothing. */
static void check_narrow(uint32_t address)
{
	uint32_t before = get(address);

	for (uint32_t i = 0U; i < 4U; i++) {
		*(volatile uint8_t *)(address + i) = 0xffU;
		check_fault(MCAUSE_STORE_FAULT);
		(void)*(volatile uint8_t *)(address + i);
		check_fault(MCAUSE_LOAD_FAULT);
	}
	for (uint32_t i = 0U; i < 4U; i += 2U) {
		*(volatile uint16_t *)(address + i) = 0xffffU;
		check_fault(MCAUSE_STORE_FAULT);
		(void)*(volatile uint16_t *)(address + i);
		check_fault(MCAUSE_LOAD_FAULT);
	}
	CHECK_EQ(get(address), before);
	CHECK_NO_TRAP();
}

static void check_nothing_there(uint32_t address)
{
	(void)get(address);
	check_fault(MCAUSE_LOAD_FAULT);
	put(address, 0U);
	check_fault(MCAUSE_STORE_FAULT);
}

static void check_probe(uint32_t registers, uint32_t samples)
{
	uint32_t control = registers + TRAPEZE_PROBE_CONTROL_OFFSET;

	CHECK_EQ(get(control), 0U);
	CHECK_EQ(get(registers + TRAPEZE_PROBE_ALARM_LAT_OFFSET), 0U);
	CHECK_EQ(get(registers + TRAPEZE_PROBE_LAST_OFFSET), 0U);
	CHECK_EQ(get(registers + TRAPEZE_PROBE_MAX_OFFSET), 0U);
	CHECK_EQ(get(registers + TRAPEZE_PROBE_MIN_OFFSET), 0U);
	/* 16 bits of a latency, each of them once 0 and once 1. */
	put(registers + TRAPEZE_PROBE_ALARM_LAT_OFFSET, 0xedcba987U);
	CHECK_EQ(get(registers + TRAPEZE_PROBE_ALARM_LAT_OFFSET), 0xa987U);
	put(registers + TRAPEZE_PROBE_ALARM_LAT_OFFSET, 0x12345678U);
	CHECK_EQ(get(registers + TRAPEZE_PROBE_ALARM_LAT_OFFSET), 0x5678U);
	/* The first 32 bytes repeat. */
	CHECK_EQ(get(registers + 0xfe0U + TRAPEZE_PROBE_ALARM_LAT_OFFSET), 0x5678U);
	put(control, TRAPEZE_PROBE_CONTROL_WE_MASK);
	CHECK_EQ(get(control), TRAPEZE_PROBE_CONTROL_WE_MASK);
	put(control, 0U);
	CHECK_EQ(get(control), 0U);
	check_narrow(registers + TRAPEZE_PROBE_ALARM_LAT_OFFSET);

	(void)get(samples);
	(void)get(samples + TRAPEZE_PROBE_SAMPLES0_SIZE - 4U);
	CHECK_NO_TRAP();
	put(samples, 1U);
	check_fault(MCAUSE_STORE_FAULT);
	check_nothing_there(registers - 4U);
}

int main(void)
{
	test_begin();
	check_probe(TRAPEZE_PROBE_REGS0_BASE, TRAPEZE_PROBE_SAMPLES0_BASE);
	check_probe(TRAPEZE_PROBE_REGS1_BASE, TRAPEZE_PROBE_SAMPLES1_BASE);

	check_register(RANDOM(SEED), 1U, UINT32_MAX);
	put(RANDOM(SEED), 0U);
	CHECK_EQ(get(RANDOM(SEED)), 1U);
	CHECK_EQ(get(RANDOM(STATUS)), 0U);
	CHECK_EQ(get(RANDOM(DATA)), 0U);
	put(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_ENABLE_MASK);
	CHECK_EQ(get(RANDOM(CONTROL)), TRAPEZE_RANDOM_CONTROL_ENABLE_MASK);
	put(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_ACK_MASK);
	CHECK_EQ(get(RANDOM(CONTROL)), 0U);
	check_narrow(RANDOM(SEED));

	for (uint32_t i = 0U; i < TRAPEZE_TIMERS_CHANNEL_PERIOD_COUNT; i++) {
		uint32_t at = i * TRAPEZE_TIMERS_CHANNEL_PERIOD_STRIDE;

		check_register(TIMER(PERIOD) + at, 0U, UINT32_MAX);
		CHECK_EQ(get(TIMER(COUNT) + at), 0U);
		CHECK_EQ(get(TIMER(STATUS) + at), 0U);
		put(TIMER(CONTROL) + at, TRAPEZE_TIMERS_CHANNEL_CONTROL_PULSE_MASK |
					     TRAPEZE_TIMERS_CHANNEL_CONTROL_ONE_SHOT_MASK);
		CHECK_EQ(get(TIMER(CONTROL) + at),
			 TRAPEZE_TIMERS_CHANNEL_CONTROL_PULSE_MASK |
			     TRAPEZE_TIMERS_CHANNEL_CONTROL_ONE_SHOT_MASK);
		put(TIMER(CONTROL) + at, 0U);
	}
	check_narrow(TIMER(PERIOD));

	check_register(STRESS(BANKS), 7U, 7U);
	/* The state of the random generator does not change while the rate is 0. */
	check_register(STRESS(SEED), 1U, UINT32_MAX);
	put(STRESS(SEED), 0U);
	CHECK_EQ(get(STRESS(SEED)), 1U);
	put(STRESS(BANKS), 0U);
	check_register(STRESS(RATE), 0U, TRAPEZE_STRESS_RATE_CHANCE_MASK);
	CHECK_EQ(get(STRESS(ACCESSES)), 0U);
	check_narrow(STRESS(BANKS));

	/* An address without a register reads zero. One without a block is a bus error. */
	put(RANDOM(SEED) + 4U, UINT32_MAX);
	CHECK_EQ(get(RANDOM(SEED) + 4U), 0U);
	put(STRESS(ACCESSES) + 4U, UINT32_MAX);
	CHECK_EQ(get(STRESS(ACCESSES) + 4U), 0U);
	CHECK_NO_TRAP();
	check_nothing_there(TRAPEZE_PROBE_STRESS_BASE + TRAPEZE_PROBE_STRESS_SIZE);
	check_nothing_there(TRAPEZE_PROBE_BASE + TRAPEZE_PROBE_SIZE - 4U);
	check_nothing_there(TRAPEZE_PROBE_BASE + TRAPEZE_PROBE_SIZE);
	return test_end();
}
