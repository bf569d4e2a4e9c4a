/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: wfi wakes for an interrupt above level and threshold, whether interrupts are enabled or not, and for nothing
  else
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include <trapeze/timer.h>

#include "clic_test.h"

/* Cycles until the alarm that ends a wait in any case. */
#define DELAY 20000U

static volatile uint32_t taken[2];

static void handler(void *arg)
{
	taken[(uint32_t)arg]++;
}

static void timer_handler(void *arg)
{
	timer_cancel_alarm();
	handler(arg);
}

/* Whether wfi waits for the alarm, which has the highest level. Interrupts are disabled, so the alarm stays pending. */
static bool waits(void)
{
	uint64_t alarm = timer_now() + DELAY;

	timer_set_alarm(alarm);
	irq_wait();
	bool waited = timer_now() >= alarm;

	timer_cancel_alarm();
	settle();
	return waited;
}

static void user_wait(void)
{
	for (int i = 0; i < 100 && taken[1] == 0U; i++) {
		__asm__ volatile("wfi");
	}
}

int main(void)
{
	test_begin();
	clic_setup(true);
	irq_level_set(IRQ_TIMER, LEVEL_4);
	irq_enable(IRQ_TIMER);
	(void)irq_connect(IRQ_TIMER, timer_handler, (void *)1);
	(void)irq_connect(A, handler, (void *)0);

	CHECK(waits());
	clic_raise(A);
	CHECK(!waits());

	/* wfi waits if A is disabled, at level 0, held back by the threshold, or held back by the level. */
	irq_disable(A);
	CHECK(waits());
	irq_enable(A);
	irq_level_bits_set(8U);
	irq_control_set(A, 0U);
	CHECK(waits());
	irq_control_set(A, 1U);
	CHECK(!waits());
	irq_level_bits_set(2U);
	irq_control_set(A, 0U);
	irq_level_set(A, LEVEL_2);
	(void)irq_threshold_set(LEVEL_2);
	CHECK(waits());
	(void)irq_threshold_set(LEVEL_2 - 1U);
	CHECK(!waits());
	(void)irq_threshold_set(0U);
	level_become(LEVEL_2);
	CHECK(waits());
	level_become(LEVEL_2 - 1U);
	CHECK(!waits());
	level_become(0U);
	irq_vectored_set(A, false); /* vectored or not does not matter */
	CHECK(!waits());
	irq_vectored_set(A, true);
	CHECK_EQ(taken[0], 0U);
	CHECK_EQ(taken[1], 0U);

	/* With interrupts enabled: the interrupt is taken, and returns behind the wfi. */
	irq_pending_set(A, false);
	timer_set_alarm(timer_now() + DELAY);
	irq_unlock_all();
	irq_wait();
	(void)irq_lock();
	CHECK_EQ(taken[1], 1U);

	/* From user mode, too. */
	taken[1] = 0U;
	timer_set_alarm(timer_now() + DELAY);
	csr_write(CSR_MCAUSE, (uint32_t)LEVEL_4 << MCAUSE_MPIL_SHIFT);
	user_call(user_wait);
	CHECK_EQ(taken[1], 1U);
	CHECK_EQ(taken[0], 0U);
	CHECK_NO_TRAP();
	return test_end();
}
