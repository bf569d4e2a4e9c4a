/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the software interrupt comes before the timer's; one interrupt at a time
config: [mcu-clint, mcu-clint-e]
expect: |
  PASS
*/
#include <trapeze/irq.h>
#include <trapeze/timer.h>

#include "test.h"

static volatile uint32_t order[4];
static volatile uint32_t count;

static void software_handler(void *arg)
{
	(void)arg;
	order[count & 3U] = IRQ_SOFTWARE;
	count++;
	irq_software_set(false);
}

static void timer_handler(void *arg)
{
	(void)arg;
	order[count & 3U] = IRQ_TIMER;
	count++;
	timer_cancel_alarm();
}

int main(void)
{
	test_begin();
	(void)irq_connect(IRQ_SOFTWARE, software_handler, NULL);
	(void)irq_connect(IRQ_TIMER, timer_handler, NULL);

	timer_set_alarm(0U);
	irq_software_set(true);
	CHECK_EQ(csr_read(CSR_MIP), (1U << IRQ_SOFTWARE) | (1U << IRQ_TIMER));
	csr_write(CSR_MIE, (1U << IRQ_SOFTWARE) | (1U << IRQ_TIMER));
	irq_unlock_all();
	CHECK_EQ(count, 2U);
	CHECK_EQ(order[0], IRQ_SOFTWARE);
	CHECK_EQ(order[1], IRQ_TIMER);
	irq_lock();

	/* Only the enabled interrupt is taken, whatever its priority. */
	count = 0U;
	timer_set_alarm(0U);
	irq_software_set(true);
	irq_disable(IRQ_SOFTWARE);
	irq_unlock_all();
	CHECK_EQ(count, 1U);
	CHECK_EQ(order[0], IRQ_TIMER);
	irq_enable(IRQ_SOFTWARE);
	CHECK_EQ(count, 2U);
	CHECK_EQ(order[1], IRQ_SOFTWARE);
	irq_lock();
	return test_end();
}
