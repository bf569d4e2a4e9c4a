/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a handler that enables interrupts is preempted, and all registers are restored
config: [mcu-clint, mcu-clint-e]
expect: |
  PASS
*/
#include <trapeze/irq.h>
#include <trapeze/timer.h>

#include "test.h"

static volatile uint32_t depth;
static volatile uint32_t deepest;
static volatile uint32_t software_count;
static volatile uint32_t timer_count;

static void enter(void)
{
	depth++;
	if (depth > deepest) {
		deepest = depth;
	}
}

static void software_handler(void *arg)
{
	(void)arg;
	enter();
	software_count++;
	irq_software_set(false);
	depth--;
}

static void timer_handler(void *arg)
{
	(void)arg;
	enter();
	timer_count++;
	timer_cancel_alarm();

	/* The interrupt that preempts overwrites mepc and mstatus. */
	uint32_t mepc = csr_read(CSR_MEPC);
	uint32_t mstatus = csr_read(CSR_MSTATUS);

	irq_unlock_all();
	irq_software_set(true);
	CHECK_EQ(software_count, timer_count);
	irq_lock();
	csr_write(CSR_MEPC, mepc);
	csr_write(CSR_MSTATUS, mstatus);
	depth--;
}

int main(void)
{
	test_begin();
	(void)irq_connect(IRQ_SOFTWARE, software_handler, NULL);
	(void)irq_connect(IRQ_TIMER, timer_handler, NULL);
	irq_enable(IRQ_SOFTWARE);
	irq_enable(IRQ_TIMER);
	irq_unlock_all();
	for (uint32_t i = 0; i < 8U; i++) {
		timer_set_alarm(timer_now() + 50U + (17U * i));
		while (timer_count == i) {
		}
	}
	irq_lock();
	CHECK_EQ(timer_count, 8U);
	CHECK_EQ(software_count, 8U);
	CHECK_EQ(deepest, 2U);
	CHECK_EQ(depth, 0U);
	return test_end();
}
