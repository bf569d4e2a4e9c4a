/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: mtime, mtimecmp and the timer interrupt
expect: |
  PASS
*/
#include <trapeze/irq.h>
#include <trapeze/timer.h>

#include "test.h"

#define PERIOD 2000U

static volatile uint32_t ticks;
static uint64_t next;

static void tick(void *arg)
{
	(void)arg;
	ticks++;
	next += PERIOD;
	timer_set_alarm(next);
}

int main(void)
{
	test_begin();

	uint64_t first = timer_now();
	uint64_t second = timer_now();

	CHECK(second >= first);

	/* Pending follows the comparison. */
	timer_set_alarm(0U);
	CHECK(irq_is_pending(IRQ_TIMER));
	timer_set_alarm(timer_now() + 1000000000U);
	CHECK(!irq_is_pending(IRQ_TIMER));
	timer_set_alarm((timer_now() & 0xffffffffU) | (1ULL << 40));
	CHECK(!irq_is_pending(IRQ_TIMER));

	/* Five ticks, none early. */
	(void)irq_connect(IRQ_TIMER, tick, NULL);
	next = timer_now() + PERIOD;
	timer_set_alarm(next);
	irq_enable(IRQ_TIMER);
	irq_unlock_all();
	uint64_t start = next - PERIOD;

	while (ticks < 5U) {
	}
	CHECK(timer_now() - start >= 5U * PERIOD);
	irq_lock();
	timer_cancel_alarm();
	CHECK(!irq_is_pending(IRQ_TIMER));
	irq_unlock_all();
	CHECK_EQ(ticks, 5U);
	return test_end();
}
