/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: A hart that sleeps wakes when the other one rings it, also where both have slept until the other one's alarm
config: [duo]
engines: [rtl]
qemu: its harts sleep as long as its host lets them
expect: |
  PASS
*/
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/timer.h>

#include "test.h"

/* Ticks of mtime until one hart's alarm, until the other one's, and in which it has to be awake. */
#ifndef NEAR
#define NEAR 20000U
#endif
#define FAR  200000U
#define SOON 10000U

/* By the hart that wakes first. */
TZ_SHARED static uint64_t rung[TRAPEZE_HARTS];   /* when it rang the other one */
TZ_SHARED static uint64_t woken[TRAPEZE_HARTS];  /* when that was woken */
TZ_SHARED static uint32_t asleep[TRAPEZE_HARTS]; /* the other one is about to sleep */
TZ_SHARED static uint32_t over[TRAPEZE_HARTS];

static void alarm(void *arg)
{
	(void)arg;
	timer_cancel_alarm();
}

static void software(void *arg)
{
	(void)arg;
	irq_software_set(false);
}

static void connect(void)
{
	timer_cancel_alarm();
	irq_connect(IRQ_TIMER, alarm, NULL);
	irq_connect(IRQ_SOFTWARE, software, NULL);
	irq_enable(IRQ_TIMER);
	irq_enable(IRQ_SOFTWARE);
	irq_unlock_all();
}

static void sleep_until(uint64_t alarm_at, uint32_t *said)
{
	unsigned int key = irq_lock();

	timer_set_alarm(alarm_at);
	__atomic_store_n(said, 1U, __ATOMIC_RELEASE);
	__asm__ volatile("wfi" : : : "memory");
	irq_unlock(key);
}

static void wait_for(const uint32_t *flag)
{
	while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0U) {
	}
}

/* One hart wakes by its alarm and rings the other one, whose alarm is far. */
static void turn(unsigned int early)
{
	uint32_t nobody;

	if (hart_id() == early) {
		wait_for(&asleep[early]);
		sleep_until(timer_now() + NEAR, &nobody);
		rung[early] = timer_now();
		hart_interrupt(1U - early);
		wait_for(&over[early]);
	} else {
		sleep_until(timer_now() + FAR, &asleep[early]);
		woken[early] = timer_now();
		timer_cancel_alarm();
		__atomic_store_n(&over[early], 1U, __ATOMIC_RELEASE);
	}
}

static void second(void *arg)
{
	(void)arg;
	connect();
	turn(0U);
	turn(1U);
	(void)irq_lock();
	irq_disable(IRQ_TIMER);
}

int main(void)
{
	test_begin();
	connect();
	CHECK_EQ(hart_start(1U, second, NULL), 0);
	turn(0U);
	turn(1U);
	hart_wait(1U);
	for (unsigned int early = 0; early < TRAPEZE_HARTS; early++) {
		CHECK(rung[early] != 0U);
		CHECK(woken[early] - rung[early] < SOON);
	}
	return test_end();
}
