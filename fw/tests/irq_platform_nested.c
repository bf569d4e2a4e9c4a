/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a handler of a low platform line is preempted by a higher line and not by a lower one
config: [mcu-clint, mcu-clint-e]
engines: [rtl]
qemu: it has no platform lines
irq: ["3@4000", "9@5000", "1@5000"]
expect: |
  PASS
*/
#include <trapeze/irq.h>

#include "test.h"

static volatile uint32_t order[4];
static volatile uint32_t count;

static void note(uint32_t event)
{
	order[count & 3U] = event;
	count++;
}

static void simple_handler(void *arg)
{
	note((uint32_t)arg);
}

static void nesting_handler(void *arg)
{
	uint32_t mepc = csr_read(CSR_MEPC);
	uint32_t mstatus = csr_read(CSR_MSTATUS);
	uint32_t mie = csr_read_clear(CSR_MIE, (2U << IRQ_PLATFORM(3)) - 1U);

	irq_unlock_all();
	while (count == 0U || !irq_is_pending(IRQ_PLATFORM(1))) {
	}
	irq_lock();
	note((uint32_t)arg);
	csr_write(CSR_MIE, mie);
	csr_write(CSR_MSTATUS, mstatus);
	csr_write(CSR_MEPC, mepc);
}

int main(void)
{
	test_begin();
	(void)irq_connect(IRQ_PLATFORM(3), nesting_handler, (void *)3);
	(void)irq_connect(IRQ_PLATFORM(9), simple_handler, (void *)9);
	(void)irq_connect(IRQ_PLATFORM(1), simple_handler, (void *)1);
	csr_write(CSR_MIE,
		  (1U << IRQ_PLATFORM(3)) | (1U << IRQ_PLATFORM(9)) | (1U << IRQ_PLATFORM(1)));
	irq_unlock_all();
	while (count < 3U) {
	}
	CHECK_EQ(order[0], 9U);
	CHECK_EQ(order[1], 3U);
	CHECK_EQ(order[2], 1U);
	CHECK_EQ(csr_read(CSR_MSTATUS) & MSTATUS_MIE, MSTATUS_MIE);
	return test_end();
}
