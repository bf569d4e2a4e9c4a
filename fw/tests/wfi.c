/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a pending enabled interrupt wakes wfi, whether interrupts are enabled globally or not, also in user mode
expect: |
  PASS
*/
#include "taken.h"
#include "test.h"

/* Cycles until the alarm: enough time to reach the wfi, even with slow memory. */
#define DELAY 20000U

static void user_wait(void)
{
	for (int i = 0; i < 100 && taken == 0U; i++) {
		__asm__ volatile("wfi");
	}
}

int main(void)
{
	uint32_t pc;

	test_begin();
	(void)irq_connect(IRQ_TIMER, taken_timer, NULL);
	irq_enable(IRQ_TIMER);

	/* Interrupts disabled globally: wfi wakes, and the interrupt is not taken. */
	timer_set_alarm(timer_now() + DELAY);
	irq_wait();
	while (!irq_is_pending(IRQ_TIMER)) {
	}
	CHECK_EQ(taken, 0U);

	/* Already pending: does not wait. */
	irq_wait();
	irq_wait();
	CHECK_EQ(taken, 0U);
	timer_cancel_alarm();
	CHECK(!irq_is_pending(IRQ_TIMER));

	/* Interrupts enabled: the interrupt is taken, and returns behind the wfi. */
	timer_set_alarm(timer_now() + DELAY);
	irq_unlock_all();
	__asm__ volatile(".option push\n\t"
			 ".option norvc\n\t"
			 "la %0, 1f\n\t"
			 "wfi\n"
			 "1:\tnop\n\t"
			 ".option pop"
			 : "=&r"(pc)
			 :
			 : "memory");
	irq_lock();
	CHECK_EQ(taken, 1U);
	CHECK_EQ(taken_mepc, pc);

	/* From user mode interrupts are taken whatever mstatus.MIE says. */
	taken = 0U;
	timer_set_alarm(timer_now() + DELAY);
	user_call(user_wait);
	CHECK_EQ(taken, 1U);
	CHECK_NO_TRAP();
	return test_end();
}
