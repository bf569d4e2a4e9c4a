/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: counters of a program and of a handler, by AMO and by LR and SC, with the interrupt at every distance
config: [mcu-clint-a, mcu-fastirq-a]
engines: [rtl]
qemu: its mtime is no count of clock cycles, and the timer would hardly interrupt
expect: |
  PASS
*/
#include <trapeze/irq.h>
#include <trapeze/timer.h>

#include "atomic_test.h"

/* The test ends after this many interrupts, of which this many came between an LR and its SC. */
#define HANDLED  150U
#define FAILURES 20U

static volatile uint32_t by_amo;
static volatile uint32_t by_pair;
static volatile uint32_t stored; /* plain store of the handler; the program uses LR and SC */
static volatile uint32_t handled;
static volatile uint32_t failures;
static volatile uint32_t stolen; /* the handler ends with this word reserved */

static void tick(void *arg)
{
	(void)arg;
	handled++;
	(void)AMO("amoadd.w", &by_amo, 1U);
	while (sc(&by_pair, lr(&by_pair) + 1U) != 0U) {
		failures++;
	}
	stored = stored + 1U;
	stolen = stolen + 1U;
	(void)lr(&stolen);
	/* Distances between alarms have no common factor with the length of a round, so each instruction is
	 * interrupted.
	 */
	timer_set_alarm(timer_now() + 150U + handled % 61U);
}

/* Adds one by LR and SC, and repeats them until no interrupt comes between the two. */
static void add(volatile uint32_t *at)
{
	while (sc(at, lr(at) + 1U) != 0U) {
		failures++;
	}
}

int main(void)
{
	test_begin();
	CHECK_EQ(irq_connect(IRQ_TIMER, tick, NULL), 0);
	irq_enable(IRQ_TIMER);
	timer_set_alarm(timer_now() + 500U);
	irq_unlock_all();
	uint32_t rounds = 0;
	for (; handled < HANDLED || failures < FAILURES; rounds++) {
		(void)AMO("amoadd.w", &by_amo, 2U);
		__asm__ volatile("amoadd.w x0, %1, (%0)" : : "r"(&by_amo), "r"(3U) : "memory");
		add(&by_pair);
		add(&stored);
		add(&stolen);
	}
	(void)irq_lock();
	timer_cancel_alarm();

	CHECK_EQ(by_amo, 5U * rounds + handled);
	CHECK_EQ(by_pair, rounds + handled);
	CHECK_EQ(stored, rounds + handled);
	CHECK_EQ(stolen, rounds + handled);
	return test_end();
}
