/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: an interrupt of user mode that a CSR write or uret lets through is taken before the wfi that follows, which
  then waits
config: [mcu-user, mcu-user-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include <trapeze/timer.h>

#include "suclic_test.h"

/* Cycles from the attempt to the alarm that ends the wfi: enough time for the handler, even with slow memory. */
#define DELAY 6000U

/* Operand for unxti: sets UIE, and claims no interrupt, because none is above this level. */
#define NOTHING_ABOVE (((uint32_t)UINT8_MAX << 16) | USTATUS_UIE)

static volatile uint32_t alarms;
static volatile uint32_t wfi_at;
static volatile bool masked_by_threshold;

static void alarm_handler(void *arg)
{
	(void)arg;
	timer_cancel_alarm();
	alarms++;
}

/* Runs in user mode, from raising A to the instruction behind the wfi. */
#define UNMASK_TEST(name, enable)                                                                  \
	static void name(void)                                                                     \
	{                                                                                          \
		uint32_t wfi;                                                                      \
		if (masked_by_threshold) {                                                         \
			csr_write(CSR_UINTTHRESH, UINT8_MAX);                                      \
			csr_set(CSR_USTATUS, USTATUS_UIE);                                         \
		}                                                                                  \
		user_raise(A);                                                                     \
		__asm__ volatile("la %0, 1f\n\t"                                                   \
				 "csrw 0x041, %0\n\t" enable "\n"                                  \
				 "1:\n\t"                                                          \
				 "wfi\n\t"                                                         \
				 "nop\n\t"                                                         \
				 "la %0, 1b\n\t"                                                   \
				 : "=&r"(wfi)                                                      \
				 : "r"(USTATUS_UIE), "r"(USTATUS_UPIE), "r"(NOTHING_ABOVE)         \
				 : "memory", "ra");                                                \
		wfi_at = wfi;                                                                      \
		csr_clear(CSR_USTATUS, USTATUS_UIE);                                               \
	}

UNMASK_TEST(by_csrsi, "csrsi 0x000, 1")
UNMASK_TEST(by_csrs, "csrs 0x000, %1")
UNMASK_TEST(by_csrw, "csrw 0x000, %1")
UNMASK_TEST(by_csrrw, "csrrw ra, 0x000, %1")
UNMASK_TEST(by_uret, "csrw 0x000, %2\n\t" TRAPEZE_URET)
UNMASK_TEST(by_uintthresh, "csrw 0x047, x0")
UNMASK_TEST(by_uintthresh_swap, "csrrwi ra, 0x047, 0")
UNMASK_TEST(by_unxti, "csrrs ra, 0x045, %3")
UNMASK_TEST(by_unxti_vectored, "csrrsi x0, 0x045, 1")

static void check(void (*attempt)(void), bool by_threshold)
{
	masked_by_threshold = by_threshold;
	for (uint32_t round = 0; round < 2U; round++) {
		alarms = 0U;
		found_count = 0U;
		timer_set_alarm(timer_now() + DELAY);
		user_call(attempt);
		CHECK_EQ(found_count, 1U);
		CHECK_EQ(found[0].uepc, wfi_at);
		CHECK_EQ(alarms, 1U);
		timer_cancel_alarm();
	}
}

int main(void)
{
	for (uint32_t fast = 0U; fast < 2U; fast++) {
		suclic_begin(fast != 0U);
		(void)irq_connect(IRQ_TIMER, alarm_handler, NULL);
		irq_enable(IRQ_TIMER);
		check(by_csrsi, false);
		check(by_csrs, false);
		check(by_csrw, false);
		check(by_csrrw, false);
		check(by_uret, false);
		check(by_uintthresh, true);
		check(by_uintthresh_swap, true);
		check(by_unxti, false);
		check(by_unxti_vectored, false);
	}
	CHECK_NO_TRAP();
	return test_end();
}
