/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a platform line is level-sensitive - a pulse that ends while interrupts are disabled leaves nothing pending
engines: [rtl]
qemu: it has no platform lines
irq: ["2@3000:pulse=5000"]
expect: |
  PASS
*/
#include <trapeze/irq.h>

#include "test.h"

static volatile uint32_t taken;

static void handler(void *arg)
{
	(void)arg;
	taken++;
}

int main(void)
{
	test_begin();
	(void)irq_connect(IRQ_PLATFORM(2), handler, NULL);
	irq_enable(IRQ_PLATFORM(2));
	while (!irq_is_pending(IRQ_PLATFORM(2))) {
	}
#ifdef TRAPEZE_IRQ_CLIC
	CHECK_EQ(csr_read(CSR_MIP), 0U);
#else
	CHECK_EQ(csr_read(CSR_MIP), 1U << IRQ_PLATFORM(2));
#endif
	while (irq_is_pending(IRQ_PLATFORM(2))) {
	}
	irq_unlock_all();
	CHECK_EQ(taken, 0U);
	return test_end();
}
