/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: under the monitor `soft` an interrupt at any instruction around a critical section comes once; a section that
  never ends holds back only the program's own interrupts
config: [mcu-user]
monitor: soft
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>
#include <trapeze/timer.h>

#include "test.h"

/* Delays of the timer, in cycles: more than a section and setting the alarm take. */
#define PHASES 160U

/* A platform line without a signal: software makes it pending. */
#define EDGE IRQ_PLATFORM(5)

static volatile uint32_t timers;
static volatile uint32_t edges;
static volatile bool inside;
static volatile uint32_t came_inside;

static void on_timer(void *arg)
{
	(void)arg;
	timer_cancel_alarm();
	came_inside += inside ? 1U : 0U;
	timers++;
}

static void on_edge(void *arg)
{
	(void)arg;
	edges++;
}

static void wait(uint32_t cycles)
{
	uint32_t begin = csr_read(CSR_CYCLE);

	while (csr_read(CSR_CYCLE) - begin < cycles) {
	}
}

/* One of the phases meets each instruction between the write that ends the section and the read of `kept`. */
static void check_phases(void)
{
	uint32_t kept = 0U;

	for (uint32_t phase = 0U; phase < PHASES; phase++) {
		timers = 0U;
		timer_set_alarm(timer_now() + phase);

		uint32_t state = monitor_irq_disable();

		inside = true;
		__asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop" : : : "memory");
		kept += monitor_page.kept;
		inside = false;
		monitor_irq_restore(state);
		wait(PHASES + 100U);
		CHECK_EQ(timers, 1U);
		CHECK_EQ(monitor_page.kept, 0U);
		CHECK(monitor_irq_is_enabled() != 0U);
	}
	CHECK_EQ(came_inside, 0U);
	CHECK(kept != 0U && kept != PHASES);
}

/* The word stays 0 while sources fire and are enabled again and again. Their interrupts come once the word is 1. */
static void check_storm(void)
{
	edges = 0U;
	(void)monitor_irq_disable();
	for (uint32_t again = 0U; again < 100U; again++) {
		irq_pending_set(EDGE, true);
		irq_enable(EDGE);
	}
	wait(100U);
	CHECK_EQ(edges, 0U);
	monitor_page.kept = 0U; /* allowed, but nothing tells of the interrupts then */
	monitor_irq_restore(1U);
	wait(100U);
	CHECK_EQ(edges, 0U);
	monitor_page.kept = 1U;
	monitor_irq_restore(1U);
	CHECK_EQ(edges, 1U);
}

int main(void)
{
	test_begin();
	(void)irq_connect(IRQ_TIMER, on_timer, NULL);
	(void)irq_connect(EDGE, on_edge, NULL);
	irq_trigger_set(EDGE, IRQ_TRIGGER_RISING);
	irq_enable(IRQ_TIMER);
	irq_enable(EDGE);
	irq_unlock_all();
	check_phases();
	check_storm();
	return test_end();
}
