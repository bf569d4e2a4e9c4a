/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: high, low, rising and falling triggers, and writes of software to ip
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
irq: ["2@30000:pulse=30000", "3@30000:pulse=30000", "4@30000:pulse=30000", "5@30000:pulse=30000"]
expect: |
  PASS
*/
#include "clic_test.h"

enum {
	HIGH = IRQ_PLATFORM(2),
	LOW,
	RISING,
	FALLING
};

static volatile uint32_t taken[4];

/* A level-triggered source would stay pending, so it is disabled after one interrupt. */
static void handler(void *arg)
{
	uint32_t irq = (uint32_t)arg;

	taken[irq - HIGH]++;
	if (irq == HIGH || irq == LOW) {
		irq_disable(irq);
	}
}

static uint32_t pending(void)
{
	return (irq_is_pending(HIGH) ? 8U : 0U) | (irq_is_pending(LOW) ? 4U : 0U) |
	       (irq_is_pending(RISING) ? 2U : 0U) | (irq_is_pending(FALLING) ? 1U : 0U);
}

static void check_taken(uint32_t high, uint32_t low, uint32_t rising, uint32_t falling)
{
	irq_unlock_all();
	settle();
	(void)irq_lock();
	CHECK_EQ(taken[0], high);
	CHECK_EQ(taken[1], low);
	CHECK_EQ(taken[2], rising);
	CHECK_EQ(taken[3], falling);
	for (unsigned int irq = HIGH; irq <= FALLING; irq++) {
		irq_enable(irq);
	}
}

int main(void)
{
	test_begin();
	irq_trigger_set(HIGH, IRQ_TRIGGER_HIGH);
	irq_trigger_set(LOW, IRQ_TRIGGER_LOW);
	irq_trigger_set(RISING, IRQ_TRIGGER_RISING);
	irq_trigger_set(FALLING, IRQ_TRIGGER_FALLING);
	for (unsigned int irq = HIGH; irq <= FALLING; irq++) {
		(void)irq_connect(irq, handler, (void *)irq);
	}

	/* A source becomes pending whether it is enabled or not. */
	settle();
	CHECK_EQ(pending(), 4U);
	for (unsigned int irq = HIGH; irq <= FALLING; irq++) {
		irq_enable(irq);
	}
	CHECK_EQ(pending(), 4U);
	check_taken(0U, 1U, 0U, 0U);

	/* The lines rise. */
	while (!irq_is_pending(HIGH)) {
	}
	settle();
	CHECK_EQ(pending(), 8U | 2U);
	check_taken(1U, 1U, 1U, 0U);
	CHECK_EQ(pending(), 8U);

	/* Software cannot write ip of level-triggered sources, but can set and clear that of edge-triggered ones. */
	irq_pending_set(HIGH, false);
	irq_pending_set(LOW, true);
	CHECK_EQ(pending(), 8U);
	irq_pending_set(RISING, true);
	irq_pending_set(FALLING, true);
	CHECK_EQ(pending(), 8U | 2U | 1U);
	irq_pending_set(RISING, false);
	CHECK_EQ(pending(), 8U | 1U);
	irq_disable(HIGH);
	check_taken(1U, 1U, 1U, 1U);
	CHECK_EQ(pending(), 8U);

	/* The lines fall. */
	while (irq_is_pending(HIGH)) {
	}
	settle();
	CHECK_EQ(pending(), 4U | 1U);
	check_taken(1U, 2U, 1U, 2U);
	CHECK_EQ(pending(), 4U);

	/* The claim of a vectored source clears its edge. The edge of another source is cleared only by xnxti. */
	irq_vectored_set(RISING, false);
	irq_level_bits_set(0U);
	irq_pending_set(RISING, true);
	irq_disable(LOW);
	check_taken(1U, 2U, 2U, 2U);
	CHECK_EQ(pending(), 4U);
	CHECK_NO_TRAP();
	return test_end();
}
