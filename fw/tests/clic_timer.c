/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a write of either half of mtime or mtimecmp ends the timer interrupt for the second access behind it
config: [mcu-clic, mcu-fastirq]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include <trapeze/clint.h>
#include <trapeze/map.h>

#include "clic_test.h"

#define MTIME    ((uint32_t)(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIME_LO_OFFSET))
#define MTIMECMP ((uint32_t)(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIMECMP_LO_OFFSET))

static volatile uint32_t *word(uint32_t address)
{
	return (volatile uint32_t *)address;
}

/* The timer is due, and a write ends that. */
static void play(uint32_t address, uint32_t value)
{
	uint32_t ip = (uint32_t)irq_register(IRQ_TIMER, TRAPEZE_CLIC_IRQ_IP_OFFSET);
	uint32_t first;
	uint32_t second;

	CHECK(irq_is_pending(IRQ_TIMER));
	__asm__ volatile("sw %2, 0(%3)\n\t"
			 "lbu %0, 0(%4)\n\t"
			 "lbu %1, 0(%4)"
			 : "=&r"(first), "=&r"(second)
			 : "r"(value), "r"(address), "r"(ip)
			 : "memory");
	CHECK_EQ(second, 0U);
}

/* mtime becomes 1:n, and mtimecmp 1:0. */
static void become_due(void)
{
	*word(MTIMECMP + 4U) = UINT32_MAX;
	*word(MTIME + 4U) = 1U;
	*word(MTIMECMP) = 0U;
	*word(MTIMECMP + 4U) = 1U;
	settle();
}

int main(void)
{
	test_begin();
	(void)irq_lock();
	irq_trigger_set(IRQ_TIMER, IRQ_TRIGGER_HIGH);
	become_due();
	play(MTIMECMP, UINT32_MAX);
	become_due();
	play(MTIMECMP + 4U, 2U);
	become_due();
	play(MTIME + 4U, 0U);
	become_due();
	*word(MTIMECMP) = *word(MTIME) - 16U;
	play(MTIME, 0U);
	CHECK_NO_TRAP();
	return test_end();
}
