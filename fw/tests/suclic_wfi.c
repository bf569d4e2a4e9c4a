/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: in user mode an interrupt at uil or at uintthresh does not end a wfi, and one above both does, whatever UIE is
config: [mcu-user, mcu-user-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include <trapeze/timer.h>

#include "suclic_test.h"

/* Cycles until the alarm of machine mode ends the wfi: enough time to get there, even with slow memory. */
#define DELAY 2000U

static volatile uint32_t alarms;
static volatile uint32_t alarms_behind_wfi;
static uint32_t raised;
static uint32_t level;     /* uil: 0 or LEVEL_2 */
static uint32_t threshold; /* uintthresh */

static void alarm_handler(void *arg)
{
	(void)arg;
	timer_cancel_alarm();
	alarms++;
}

/* Runs in user mode, with UIE clear. unxti sets uil: it claims B, which is not vectored here. */
static void wait_once(void)
{
	csr_write(CSR_UINTTHRESH, 0U);
	if (level != 0U) {
		USER_SOURCE(B) = SOURCE_WORD(1U, LEVEL_2) & ~0x00010000U;
		settle();
		CHECK_EQ(csr_read_clear(CSR_UNXTI, USTATUS_UIE), csr_read(CSR_UTVT) + 4U * B);
	}
	CHECK_EQ(csr_read(CSR_UINTSTATUS), level);
	csr_write(CSR_UINTTHRESH, threshold);
	user_raise(raised);
	__asm__ volatile("wfi" : : : "memory");
	alarms_behind_wfi = alarms;
}

/* Whether `irq` has ended a wfi at this level and threshold. */
static bool wakes(uint32_t irq, uint32_t at, uint32_t above)
{
	suclic_begin(false);
	(void)irq_connect(IRQ_TIMER, alarm_handler, NULL);
	irq_enable(IRQ_TIMER);
	raised = irq;
	level = at;
	threshold = above;
	alarms = 0U;
	timer_set_alarm(timer_now() + DELAY);
	user_call(wait_once);
	timer_cancel_alarm();
	irq_pending_set(irq, false);
	CHECK_EQ(found_count, 0U);
	return alarms_behind_wfi == 0U;
}

int main(void)
{
	/* The level does not go down again, so level 0 comes first. */
	CHECK(!wakes(A, 0U, LEVEL_1));
	CHECK(!wakes(A, 0U, LEVEL_3));
	CHECK(wakes(B, 0U, LEVEL_1));
	CHECK(wakes(A, 0U, 0U));
	CHECK(!wakes(B, LEVEL_2, 0U));
	CHECK(!wakes(A, LEVEL_2, 0U));
	CHECK(wakes(C, LEVEL_2, 0U));
	CHECK_NO_TRAP();
	return test_end();
}
