/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: no interrupt is taken behind a store that masks it or a threshold that holds it back, and none is taken twice
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "clic_test.h"
#include "taken.h"

#define ROUNDS 120U

static void handler(void *arg)
{
	(void)arg;
	taken_note();
}

/* A function with a few instructions, one that holds the interrupt back, and more instructions. mepc must not lie
 * behind the one that holds it back. The alarm comes at every distance from before the first instruction to behind the
 * last. %1: the timer's bytes in the CLIC. Interrupts are enabled from the first to the last.
 */
#define DISABLE_TEST(name, disable)                                                                \
	__attribute__((noinline)) static uint32_t name(void)                                       \
	{                                                                                          \
		uint32_t protected_begin;                                                          \
		__asm__ volatile("la %0, 1f\n\tcsrsi mstatus, 8\n\t"                               \
				 "nop\n\tnop\n\tnop\n\tnop\n\tnop\n\t" disable "\n"                \
				 "1:\n\t"                                                          \
				 "nop\n\tnop\n\tnop\n\tnop\n\tnop\n\t"                             \
				 "nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tcsrci mstatus, 8"             \
				 : "=&r"(protected_begin)                                          \
				 : "r"(irq_register(IRQ_TIMER, TRAPEZE_CLIC_IRQ_IP_OFFSET)),       \
				   "r"(UINT8_MAX)                                                  \
				 : "memory");                                                      \
		return protected_begin;                                                            \
	}

DISABLE_TEST(disable_byte, "sb x0, 1(%1)")
DISABLE_TEST(disable_word, "sw x0, 0(%1)")
DISABLE_TEST(disable_level, "sb x0, 3(%1)")
DISABLE_TEST(disable_threshold, "csrw 0x347, %2")

static void check_disable(uint32_t (*attempt)(void))
{
	irq_level_bits_set(8U);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		irq_control_set(IRQ_TIMER, 100U);
		irq_vectored_set(IRQ_TIMER, true);
		irq_enable(IRQ_TIMER);
		taken = 0U;
		taken_mepc = 0U;
		timer_set_alarm(timer_now() + 10U + round);
		uint32_t protected_begin = attempt();
		uint32_t in_time = taken;

		/* An interrupt that was not taken by then stays pending. */
		while (in_time == 0U && !irq_is_pending(IRQ_TIMER)) {
		}
		irq_unlock_all();
		settle();
		(void)irq_lock();
		CHECK_EQ(taken, in_time);
		if (in_time != 0U) {
			CHECK(taken_mepc < protected_begin);
		}
		timer_cancel_alarm();
		(void)irq_threshold_set(0U);
	}
}

/* A pending interrupt is taken directly behind the instruction that lets it through. */
#define ENABLE_TEST(name, enable)                                                                  \
	TAKEN_BEHIND(name, enable, "r"(MCAUSE_MPP | MCAUSE_MPIE), "r"(MSTATUS_MPP_M | MSTATUS_MPIE))

ENABLE_TEST(enable_mstatus, "csrsi mstatus, 8")
ENABLE_TEST(enable_threshold, "csrsi mstatus, 8\n\tnop\n\tnop\n\tcsrw 0x347, x0")
ENABLE_TEST(enable_mret, "csrw mstatus, %2\n\tmret")
ENABLE_TEST(enable_mcause, "csrw mcause, %1\n\tmret")

static void check_enable(uint32_t (*attempt)(void), bool by_threshold, uint32_t level)
{
	for (uint32_t round = 0; round < 4U; round++) {
		taken = 0U;
		level_become(level);
		(void)irq_threshold_set(by_threshold ? UINT8_MAX : 0U);
		clic_raise(A);
		uint32_t next = attempt();

		CHECK_EQ(taken, 1U);
		CHECK_EQ(taken_mepc, next);
		(void)irq_lock();
		CHECK(!irq_is_pending(A));
	}
	level_become(0U);
}

/* An edge is taken only once, even if the next interrupt can follow immediately. */
static void check_once(bool vectored)
{
	irq_vectored_set(A, vectored);
	irq_unlock_all();
	for (uint32_t round = 0; round < 16U; round++) {
		taken = 0U;
		*irq_register(A, TRAPEZE_CLIC_IRQ_IP_OFFSET) = 1U;
		settle();
		settle();
		CHECK_EQ(taken, 1U);
	}
	(void)irq_lock();
}

int main(void)
{
	test_begin();
	(void)irq_connect(IRQ_TIMER, taken_timer, NULL);
	check_disable(disable_byte);
	check_disable(disable_word);
	check_disable(disable_level);
	check_disable(disable_threshold);
	irq_disable(IRQ_TIMER);

	clic_setup(true);
	(void)irq_connect(A, handler, NULL);
	check_enable(enable_mstatus, false, 0U);
	check_enable(enable_threshold, true, 0U);
	check_enable(enable_mret, false, 0U);
	check_enable(enable_mcause, false, LEVEL_2); /* by the level to which mret returns */
	check_once(true);
	check_once(false);
	irq_entry_set(IRQ_ENTRY_XNXTI);
	check_once(false);
	irq_entry_set(IRQ_ENTRY_JALXNXTI);
	check_once(false);
	CHECK_NO_TRAP();
	return test_end();
}
