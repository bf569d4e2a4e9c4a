/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: no interrupt is taken behind the instruction that disables it, and it is taken directly behind one that
  enables it
expect: |
  PASS
*/
#include "taken.h"
#include "test.h"

#define ROUNDS 120U

static void software_handler(void *arg)
{
	(void)arg;
	taken_note();
	irq_software_set(false);
}

/* Five instructions with interrupts enabled, one that disables them, ten more. mepc must not lie behind the disabling
 * one. The alarm comes at every distance from before the first instruction to behind the last.
 */
#define DISABLE_TEST(name, enable, disable)                                                        \
	__attribute__((noinline)) static uint32_t name(void)                                       \
	{                                                                                          \
		uint32_t protected_begin;                                                          \
		__asm__ volatile("la %0, 1f\n\t" enable "\n\t"                                     \
				 "nop\n\tnop\n\tnop\n\tnop\n\tnop\n\t" disable "\n"                \
				 "1:\n\t"                                                          \
				 "nop\n\tnop\n\tnop\n\tnop\n\tnop\n\t"                             \
				 "nop\n\tnop\n\tnop\n\tnop\n\tnop\n\t"                             \
				 : "=&r"(protected_begin)                                          \
				 : "r"(1U << IRQ_TIMER)                                            \
				 : "memory");                                                      \
		return protected_begin;                                                            \
	}

DISABLE_TEST(disable_mstatus, "csrsi mstatus, 8", "csrci mstatus, 8")
DISABLE_TEST(disable_mstatus_write, "csrsi mstatus, 8", "csrw mstatus, x0")
#ifndef TRAPEZE_IRQ_CLIC
DISABLE_TEST(disable_mie, "csrs mie, %1", "csrc mie, %1")
DISABLE_TEST(disable_mie_write, "csrs mie, %1", "csrw mie, x0")
#endif

static void check_disable(uint32_t (*attempt)(void), bool by_mie)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		if (by_mie) {
			irq_disable(IRQ_TIMER);
			irq_unlock_all();
		}
		taken = 0U;
		taken_mepc = 0U;
		timer_set_alarm(timer_now() + 10U + round);
		uint32_t protected_begin = attempt();
		uint32_t in_time = taken;

		/* An interrupt that was not taken by then waits until interrupts are enabled. */
		while (in_time == 0U && !irq_is_pending(IRQ_TIMER)) {
		}
		CHECK_EQ(taken, in_time);
		if (in_time != 0U) {
			CHECK(taken_mepc < protected_begin);
		}
		irq_enable(IRQ_TIMER);
		irq_unlock_all();
		irq_lock();
		CHECK_EQ(taken, 1U);
	}
}

/* A pending interrupt is taken directly behind the enabling instruction: mepc is the next address. */
#define ENABLE_TEST(name, enable)                                                                  \
	TAKEN_BEHIND(name, enable, "r"(1U << IRQ_SOFTWARE), "r"(MSTATUS_MPP_M | MSTATUS_MIE),      \
		     "r"(MSTATUS_MPP_M | MSTATUS_MPIE))

ENABLE_TEST(enable_mstatus, "csrsi mstatus, 8")
ENABLE_TEST(enable_mstatus_write, "csrw mstatus, %2")
ENABLE_TEST(enable_mret, "csrw mstatus, %3\n\tmret")
#ifndef TRAPEZE_IRQ_CLIC
ENABLE_TEST(enable_mie, "csrs mie, %1")
ENABLE_TEST(enable_mie_write, "csrw mie, %1")
#endif

/* Enabled by the first and disabled by the second of two adjacent instructions: the interrupt is taken in between. */
__attribute__((noinline)) static uint32_t enable_then_disable(void)
{
	uint32_t between;

	__asm__ volatile("la %0, 1f\n\t"
			 "csrsi mstatus, 8\n"
			 "1:\n\t"
			 "csrci mstatus, 8"
			 : "=&r"(between)
			 :
			 : "memory");
	return between;
}

static void check_enable(uint32_t (*attempt)(void), bool by_mie)
{
	for (uint32_t round = 0; round < 4U; round++) {
		taken = 0U;
		irq_software_set(true);
		if (by_mie) {
			irq_disable(IRQ_SOFTWARE);
			irq_unlock_all();
		}
		uint32_t next = attempt();

		CHECK_EQ(taken, 1U);
		CHECK_EQ(taken_mepc, next);
		irq_lock();
		irq_enable(IRQ_SOFTWARE);
	}
}

int main(void)
{
	test_begin();
	(void)irq_connect(IRQ_TIMER, taken_timer, NULL);
	(void)irq_connect(IRQ_SOFTWARE, software_handler, NULL);

	irq_enable(IRQ_TIMER);
	check_disable(disable_mstatus, false);
	check_disable(disable_mstatus_write, false);
#ifndef TRAPEZE_IRQ_CLIC
	check_disable(disable_mie, true);
	check_disable(disable_mie_write, true);
#endif
	irq_disable(IRQ_TIMER);

	irq_enable(IRQ_SOFTWARE);
	check_enable(enable_mstatus, false);
	check_enable(enable_mstatus_write, false);
	check_enable(enable_mret, false);
	check_enable(enable_then_disable, false);
#ifndef TRAPEZE_IRQ_CLIC
	check_enable(enable_mie, true);
	check_enable(enable_mie_write, true);
#endif
	CHECK_NO_TRAP();
	return test_end();
}
