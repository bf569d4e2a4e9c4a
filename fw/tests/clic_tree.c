/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: of any two pending sources the higher level wins, and of equal levels the higher number
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "clic_test.h"

/** Checks which of two sources is offered, both pending. */
static void check_offer(unsigned int low, uint8_t level_low, unsigned int high, uint8_t level_high)
{
	irq_control_set(low, level_low);
	irq_control_set(high, level_high);
	irq_pending_set(low, true);
	irq_pending_set(high, true);
	settle();
	CHECK_EQ(NXTI_READ(), table_entry(level_low > level_high ? low : high));
	irq_pending_set(low, false);
	settle();
	CHECK_EQ(NXTI_READ(), table_entry(high));
	irq_pending_set(low, true);
	irq_pending_set(high, false);
	settle();
	CHECK_EQ(NXTI_READ(), table_entry(low));
	irq_pending_set(low, false);
}

int main(void)
{
	uint32_t level = 1U;
	uint32_t bit = 1U;

	test_begin();
	quiet_sources();
	for (unsigned int irq = 0U; irq < IRQ_COUNT; irq++) {
		irq_enable(irq);
	}
	CHECK_EQ(NXTI_READ(), 0U);
	for (unsigned int distance = 1U; distance < IRQ_COUNT; distance *= 2U) {
		for (unsigned int high = distance; high < IRQ_COUNT; high++) {
			unsigned int low = high - distance;

			/* The two levels differ in one bit, each time in another one. */
			level = (level * 37U + 11U) & 255U;
			bit = bit == 128U ? 1U : 2U * bit;
			level |= bit == 1U ? 2U : 1U;
			check_offer(low, (uint8_t)level, high, (uint8_t)level);
			check_offer(low, (uint8_t)(level | bit), high, (uint8_t)(level & ~bit));
			check_offer(low, (uint8_t)(level & ~bit), high, (uint8_t)(level | bit));
		}
	}
	return test_end();
}
