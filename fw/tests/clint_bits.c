/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: each bit of mtime and mtimecmp can be written, read and compared, also by bytes and half-words
engines: [rtl]
qemu: it has only accesses of 32 and 64 bits to a CLINT
expect: |
  PASS
*/
#include <trapeze/clint.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>

#include "test.h"

#define REGISTER(name) (TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_##name##_OFFSET)

#define COMPARE_LO (REGISTER(MTIMECMP_LO) + (TEST_HART_ID * TRAPEZE_CLINT_MTIMECMP_LO_STRIDE))
#define COMPARE_HI (COMPARE_LO + 4U)
#define TIME_LO    REGISTER(MTIME_LO)
#define TIME_HI    REGISTER(MTIME_HI)

/* mtime counts on between two accesses, by less than this. */
#define SOON 2000U

static volatile uint32_t *word(uint32_t address)
{
	return (volatile uint32_t *)address;
}

static void check_parts(uint32_t address)
{
	*word(address) = 0x11223344U;
	for (uint32_t i = 0U; i < 4U; i++) {
		volatile uint8_t *byte = (volatile uint8_t *)address + i;

		*byte = (uint8_t)(0xa5U + i);
		CHECK_EQ(*byte, 0xa5U + i);
	}
	CHECK_EQ(*word(address), 0xa8a7a6a5U);
	*((volatile uint16_t *)address + 1) = 0x5bc7U;
	CHECK_EQ(*word(address), 0x5bc7a6a5U);
	*(volatile uint16_t *)address = 0x93d4U;
	CHECK_EQ(*word(address), 0x5bc793d4U);
}

/** @param hold Address of the other half of mtime, which is set to 0, so that there is no carry. */
static void check_bits(uint32_t address, uint32_t hold)
{
	for (uint32_t bit = 0U; bit < 32U; bit++) {
		*word(hold) = 0U;
		*word(address) = 1UL << bit;
		CHECK_EQ(*word(address), 1UL << bit);
		*word(address) = ~(1UL << bit);
		CHECK_EQ(*word(address), ~(1UL << bit));
	}
}

static void check_running_bits(void)
{
	for (uint32_t bit = 0U; bit < 32U; bit++) {
		uint32_t near = ~(1UL << bit) & ~(SOON - 1U);

		*word(TIME_LO) = 1UL << bit;
		CHECK(*word(TIME_LO) - (1UL << bit) < SOON);
		*word(TIME_LO) = near;
		CHECK(*word(TIME_LO) - near < SOON);
	}
}

/* A write takes effect in the comparison a few cycles later. */
static uint32_t is_due(void)
{
	__asm__ volatile("nop\n nop\n nop\n nop" ::: "memory");
	return irq_is_pending(IRQ_TIMER) ? 1U : 0U;
}

static void check_comparison(void)
{
	for (uint32_t bit = 0U; bit < 32U; bit++) {
		*word(TIME_LO) = 0U;
		*word(TIME_HI) = 1UL << bit;
		*word(COMPARE_HI) = 1UL << bit;
		*word(COMPARE_LO) = 0xffffffffU;
		CHECK_EQ(is_due(), 0U);
		*word(COMPARE_HI) = (1UL << bit) - 1U;
		CHECK_EQ(is_due(), 1U);
	}
	*word(TIME_HI) = 0U;
	*word(COMPARE_HI) = 0U;
	for (uint32_t bit = 12U; bit < 32U; bit++) {
		*word(TIME_LO) = 1UL << bit;
		*word(COMPARE_LO) = (1UL << bit) + SOON;
		CHECK_EQ(is_due(), 0U);
		*word(COMPARE_LO) = 1UL << bit;
		CHECK_EQ(is_due(), 1U);
	}
	*word(COMPARE_HI) = 0xffffffffU;
	CHECK_EQ(is_due(), 0U);
}

int main(void)
{
	test_begin();
	check_bits(COMPARE_LO, COMPARE_HI);
	check_bits(COMPARE_HI, COMPARE_LO);
	check_bits(TIME_HI, TIME_LO);
	check_parts(COMPARE_LO);
	check_parts(COMPARE_HI);
	*word(TIME_LO) = 0U;
	check_parts(TIME_HI);
	check_running_bits();
	check_comparison();
	return test_end();
}
