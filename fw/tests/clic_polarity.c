/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a source whose wire is constant is pending only if its trigger is low level
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "clic_test.h"

enum {
	TIMER = 7 /**< its wire may be high */
};

static void check_source(unsigned int irq)
{
	irq_enable(irq);
	irq_trigger_set(irq, IRQ_TRIGGER_LOW);
	settle();
	CHECK(irq_is_pending(irq));
	CHECK_EQ(NXTI_READ(), table_entry(irq));
	for (unsigned int other = 0U; other < IRQ_COUNT; other++) {
		CHECK(irq_is_pending(other) == (other == irq));
	}
	irq_disable(irq);
	settle();
	CHECK(irq_is_pending(irq));
	CHECK_EQ(NXTI_READ(), 0U);
	irq_enable(irq);

	irq_trigger_set(irq, IRQ_TRIGGER_HIGH);
	settle();
	CHECK(!irq_is_pending(irq));
	irq_trigger_set(irq, IRQ_TRIGGER_RISING);
	settle();
	CHECK(!irq_is_pending(irq));
	/* Software can set and clear the pending bit of an edge. */
	irq_pending_set(irq, true);
	settle();
	CHECK(irq_is_pending(irq));
	CHECK_EQ(NXTI_READ(), table_entry(irq));
	irq_pending_set(irq, false);
	settle();
	CHECK(!irq_is_pending(irq));
	CHECK_EQ(NXTI_READ(), 0U);
	irq_disable(irq);
}

int main(void)
{
	test_begin();
	quiet_sources();
	for (unsigned int irq = 0U; irq < IRQ_COUNT; irq++) {
		if (irq != TIMER) {
			check_source(irq);
		}
	}
	return test_end();
}
