/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: software, timer and UART interrupts as sources 3, 7 and 11; the highest number wins ties
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include <trapeze/timer.h>
#include <trapeze/uart.h>

#include "clic_test.h"

static volatile uint32_t order[8];
static volatile uint32_t count;

static void software_handler(void *arg)
{
	(void)arg;
	order[count++ & 7U] = IRQ_SOFTWARE;
	irq_software_set(false);
}

static void timer_handler(void *arg)
{
	(void)arg;
	order[count++ & 7U] = IRQ_TIMER;
	timer_cancel_alarm();
}

static void uart_handler(void *arg)
{
	(void)arg;
	order[count++ & 7U] = IRQ_EXTERNAL;
	*(volatile uint8_t *)(TRAPEZE_UART_BASE + TRAPEZE_UART_IER_OFFSET) = 0U;
}

static void raise_all(void)
{
	count = 0U;
	irq_software_set(true);
	timer_set_alarm(0U);
	*(volatile uint8_t *)(TRAPEZE_UART_BASE + TRAPEZE_UART_IER_OFFSET) =
	    TRAPEZE_UART_IER_ETBEI_MASK;
	while (!irq_is_pending(IRQ_SOFTWARE) || !irq_is_pending(IRQ_TIMER) ||
	       !irq_is_pending(IRQ_EXTERNAL)) {
	}
	irq_unlock_all();
	settle();
	(void)irq_lock();
}

static void check_order(uint32_t first, uint32_t second, uint32_t third)
{
	CHECK_EQ(count, 3U);
	CHECK_EQ(order[0], first);
	CHECK_EQ(order[1], second);
	CHECK_EQ(order[2], third);
}

int main(void)
{
	test_begin();
	(void)irq_connect(IRQ_SOFTWARE, software_handler, NULL);
	(void)irq_connect(IRQ_TIMER, timer_handler, NULL);
	(void)irq_connect(IRQ_EXTERNAL, uart_handler, NULL);
	CHECK(irq_connect(IRQ_COUNT, uart_handler, NULL) != 0);
	irq_enable(IRQ_SOFTWARE);
	irq_enable(IRQ_TIMER);
	irq_enable(IRQ_EXTERNAL);

	raise_all();
	check_order(IRQ_EXTERNAL, IRQ_TIMER, IRQ_SOFTWARE);

	/* With priorities the other way round; all still have level 255. */
	irq_priority_set(IRQ_SOFTWARE, 3U);
	irq_priority_set(IRQ_TIMER, 2U);
	irq_priority_set(IRQ_EXTERNAL, 1U);
	raise_all();
	check_order(IRQ_SOFTWARE, IRQ_TIMER, IRQ_EXTERNAL);

	/* With levels, not vectored: the timer first. */
	irq_level_bits_set(2U);
	irq_level_set(IRQ_SOFTWARE, LEVEL_1);
	irq_level_set(IRQ_TIMER, LEVEL_3);
	irq_level_set(IRQ_EXTERNAL, LEVEL_2);
	irq_vectored_set(IRQ_SOFTWARE, false);
	irq_vectored_set(IRQ_TIMER, false);
	irq_vectored_set(IRQ_EXTERNAL, false);
	raise_all();
	check_order(IRQ_TIMER, IRQ_EXTERNAL, IRQ_SOFTWARE);
	irq_entry_set(IRQ_ENTRY_JALXNXTI);
	raise_all();
	check_order(IRQ_TIMER, IRQ_EXTERNAL, IRQ_SOFTWARE);
	CHECK_NO_TRAP();
	return test_end();
}
