/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: one source for every interrupt controller - connected and direct handlers, critical sections, waits
expect: |
  10 ticks, 3 events, 55
  PASS
*/
#include <stdio.h>

#include <trapeze/irq.h>
#include <trapeze/timer.h>

#include "test.h"

static volatile uint32_t ticks;
static volatile uint32_t events;
static volatile uint32_t sum;
static volatile uint32_t inside;

TRAPEZE_IRQ_DIRECT(3) /* IRQ_SOFTWARE */
{
	irq_software_set(false);
	events++;
}

static void tick(void *arg)
{
	volatile uint32_t *total = arg;

	ticks++;
	*total += ticks;
	if (ticks < 10U) {
		timer_set_alarm(timer_now() + 500U);
	} else {
		timer_cancel_alarm();
	}

	/* A critical section inside of a handler, and one that the handler does not end: mret or emret end it. */
	unsigned int key = irq_lock();

	inside++;
	irq_unlock(key);
	(void)irq_lock();
}

int main(void)
{
	test_begin();
	CHECK_EQ(irq_connect(IRQ_TIMER, tick, (void *)&sum), 0);
	CHECK(irq_connect(IRQ_COUNT, tick, NULL) != 0);
	irq_enable(IRQ_TIMER);
	irq_enable(IRQ_SOFTWARE);
	CHECK(irq_is_enabled(IRQ_TIMER));
	timer_set_alarm(timer_now() + 500U);
	(void)irq_lock();
	while (ticks < 10U) {
		irq_wait();
		irq_unlock_all();
		irq_lock();
	}
	CHECK_EQ(inside, 10U);

	/* Interrupts enabled, disabled, and enabled again. */
	irq_unlock_all();
	irq_software_set(true);
	while (events < 1U) {
	}
	unsigned int key = irq_lock();

	irq_software_set(true);
	while (!irq_is_pending(IRQ_SOFTWARE)) {
	}
	CHECK_EQ(events, 1U);
	irq_unlock(key);
	while (events < 2U) {
	}
	irq_disable(IRQ_SOFTWARE);
	irq_software_set(true);
	while (!irq_is_pending(IRQ_SOFTWARE)) {
	}
	CHECK_EQ(events, 2U);
	irq_enable(IRQ_SOFTWARE);
	while (events < 3U) {
	}

	/* An exception goes to the exception handler, not to those of interrupts. */
	__asm__ volatile("ecall" : : : "memory");
	CHECK_EQ(trap_last.count, 1U);
	(void)irq_lock();
	printf("%u ticks, %u events, %u\n", (unsigned int)ticks, (unsigned int)events,
	       (unsigned int)sum);
	return test_end();
}
