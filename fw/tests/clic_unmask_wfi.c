/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: an interrupt that a threshold, a level or mnxti lets in is taken before the wfi that follows, which then waits
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "clic_test.h"
#include "taken.h"

/* Cycles from the handler to the alarm that ends the wfi: enough time to return, even with slow memory. */
#define DELAY 4000U

/* Operand for mnxti: sets MIE, and claims no interrupt, because none is above this level. */
#define NOTHING_ABOVE (((uint32_t)UINT8_MAX << 16) | MSTATUS_MIE)

static volatile uint32_t alarms;

static void handler(void *arg)
{
	(void)arg;
	taken_note();
	timer_set_alarm(timer_now() + DELAY);
}

static void alarm_handler(void *arg)
{
	(void)arg;
	timer_cancel_alarm();
	alarms++;
}

#define UNMASK_TEST(name, enable)                                                                  \
	TAKEN_BEFORE_WFI(name, enable, "r"(MCAUSE_MPP | MCAUSE_MPIE), "r"(NOTHING_ABOVE), "r"(255U))

UNMASK_TEST(by_mintthresh, "csrsi mstatus, 8\n\tnop\n\tcsrw 0x347, x0")
UNMASK_TEST(by_mintthresh_clear, "csrsi mstatus, 8\n\tnop\n\tcsrc 0x347, %3")
UNMASK_TEST(by_mintthresh_swap, "csrsi mstatus, 8\n\tnop\n\tcsrrwi ra, 0x347, 0")
UNMASK_TEST(by_level, "csrw mcause, %1\n\tmret")
UNMASK_TEST(by_mnxti, "csrrs ra, 0x345, %2")
UNMASK_TEST(by_mnxti_vectored, "csrrsi x0, 0x345, 8")

static void check(uint32_t (*attempt)(void), uint8_t threshold, uint32_t level)
{
	for (uint32_t round = 0; round < 2U; round++) {
		taken = 0U;
		alarms = 0U;
		level_become(level);
		(void)irq_threshold_set(threshold);
		clic_raise(A);
		uint32_t wfi = attempt();

		(void)irq_lock();
		CHECK_EQ(taken, 1U);
		CHECK_EQ(taken_mepc, wfi);
		CHECK_EQ(alarms, 1U);
		CHECK(!irq_is_pending(A));
		timer_cancel_alarm();
		(void)irq_threshold_set(0U);
	}
	level_become(0U);
}

int main(void)
{
	test_begin();
	clic_setup(true);
	irq_level_set(IRQ_TIMER, LEVEL_4);
	irq_vectored_set(IRQ_TIMER, true);
	irq_enable(IRQ_TIMER);
	(void)irq_connect(IRQ_TIMER, alarm_handler, NULL);
	(void)irq_connect(A, handler, NULL);

	for (uint32_t vectored = 0U; vectored < 2U; vectored++) {
		irq_vectored_set(A, vectored != 0U);
		check(by_mintthresh, UINT8_MAX, 0U);
		check(by_mintthresh_clear, UINT8_MAX, 0U);
		check(by_mintthresh_swap, UINT8_MAX, 0U);
		check(by_level, 0U, LEVEL_2);
		check(by_mnxti, 0U, 0U);
	}
	check(by_mnxti_vectored, 0U, 0U); /* mnxti claims no vectored interrupt */
	CHECK_NO_TRAP();
	return test_end();
}
