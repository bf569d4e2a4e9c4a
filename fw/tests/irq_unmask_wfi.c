/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a pending interrupt that a CSR write or mret unmasks is taken before the wfi that follows, which then waits
expect: |
  PASS
*/
#include "taken.h"
#include "test.h"

/* Cycles from the handler to the alarm that ends the wfi: enough time to return, even with slow memory. */
#define DELAY 4000U
#define BITS  ((1U << IRQ_SOFTWARE) | (1U << IRQ_TIMER))

static volatile uint32_t alarms;

static void software_handler(void *arg)
{
	(void)arg;
	taken_note();
	irq_software_set(false);
	timer_set_alarm(timer_now() + DELAY);
}

static void alarm_handler(void *arg)
{
	(void)arg;
	timer_cancel_alarm();
	alarms++;
}

#define UNMASK_TEST(name, enable)                                                                  \
	TAKEN_BEFORE_WFI(name, enable, "r"(MSTATUS_MIE), "r"(MSTATUS_MPP_M | MSTATUS_MIE),         \
			 "r"(MSTATUS_MPP_M | MSTATUS_MPIE), "r"(BITS))

UNMASK_TEST(by_csrsi, "csrsi mstatus, 8")
UNMASK_TEST(by_csrs, "csrs mstatus, %1")
UNMASK_TEST(by_csrw, "csrw mstatus, %2")
UNMASK_TEST(by_csrrsi, "csrrsi ra, mstatus, 8")
UNMASK_TEST(by_csrrs, "csrrs ra, mstatus, %1")
UNMASK_TEST(by_csrrw, "csrrw ra, mstatus, %2")
UNMASK_TEST(by_mret, "csrw mstatus, %3\n\tmret")
#ifndef TRAPEZE_IRQ_CLIC
UNMASK_TEST(by_mie_csrsi, "csrsi mie, 8")
UNMASK_TEST(by_mie_csrs, "csrs mie, %4")
UNMASK_TEST(by_mie_csrw, "csrw mie, %4")
UNMASK_TEST(by_mie_csrrs, "csrrs ra, mie, %4")
UNMASK_TEST(by_mie_csrrw, "csrrw ra, mie, %4")
#endif

/* From user mode interrupts are taken whatever mstatus.MIE says. */
void user_wfi(void);
__asm__(".text\n"
	"user_wfi:\n"
	"\twfi\n"
	"\tret\n");

static uint32_t by_user_mode(void)
{
	user_call(user_wfi);
	return (uint32_t)user_wfi;
}

static void check(uint32_t (*attempt)(void), bool by_mie)
{
	for (uint32_t round = 0; round < 2U; round++) {
		taken = 0U;
		alarms = 0U;
		irq_software_set(true);
		if (by_mie) {
			irq_disable(IRQ_SOFTWARE);
			irq_unlock_all();
		}
		uint32_t wfi = attempt();

		irq_lock();
		CHECK_EQ(taken, 1U);
		CHECK_EQ(taken_mepc, wfi);
		CHECK_EQ(alarms, 1U);
		timer_cancel_alarm();
		irq_enable(IRQ_SOFTWARE);
	}
}

int main(void)
{
	test_begin();
	(void)irq_connect(IRQ_SOFTWARE, software_handler, NULL);
	(void)irq_connect(IRQ_TIMER, alarm_handler, NULL);
	irq_enable(IRQ_SOFTWARE);
	irq_enable(IRQ_TIMER);

	check(by_csrsi, false);
	check(by_csrs, false);
	check(by_csrw, false);
	check(by_csrrsi, false);
	check(by_csrrs, false);
	check(by_csrrw, false);
	check(by_mret, false);
	check(by_user_mode, false);
#ifndef TRAPEZE_IRQ_CLIC
	check(by_mie_csrsi, true);
	check(by_mie_csrs, true);
	check(by_mie_csrw, true);
	check(by_mie_csrrs, true);
	check(by_mie_csrrw, true);
#endif
	CHECK_NO_TRAP();
	return test_end();
}
