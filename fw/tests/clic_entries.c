/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: each entry handles exceptions, at any level, and dispatches by number when it is preempted early
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "clic_test.h"

static volatile uint32_t order[8];
static volatile uint32_t count;

static void handler(void *arg)
{
	order[count & 7U] = (uint32_t)arg;
	count++;
	/* An exception returns to the level of the handler that it interrupted. */
	uint32_t level = irq_level_current();
	uint32_t traps = trap_last.count;

	__asm__ volatile("ebreak" : : : "memory");
	CHECK_EQ(trap_last.count, traps + 1U);
	CHECK_EQ(irq_level_current(), level);
	CHECK((csr_read(CSR_MSTATUS) & MSTATUS_MIE) != 0U);
}

/* Every register of the ABI survives interrupts and exceptions. */
static void check_registers(void)
{
	uint32_t wrong = 0U;

	__asm__ volatile("li t0, 1\n\tli t1, 2\n\tli t2, 3\n\tli a0, 4\n\tli a1, 5\n\tli a2, 6\n\t"
			 "li a3, 7\n\tli a4, 8\n\tli a5, 9\n\tli ra, 10\n\t"
			 "sb %1, 0(%2)\n\t"
			 "nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tebreak\n\t"
			 "addi t0, t0, -1\n\taddi t1, t1, -2\n\taddi t2, t2, -3\n\t"
			 "addi a0, a0, -4\n\taddi a1, a1, -5\n\taddi a2, a2, -6\n\t"
			 "addi a3, a3, -7\n\taddi a4, a4, -8\n\taddi a5, a5, -9\n\t"
			 "addi ra, ra, -10\n\t"
			 "or t0, t0, t1\n\tor t0, t0, t2\n\tor t0, t0, a0\n\tor t0, t0, a1\n\t"
			 "or t0, t0, a2\n\tor t0, t0, a3\n\tor t0, t0, a4\n\tor t0, t0, a5\n\t"
			 "or t0, t0, ra\n\tmv %0, t0"
			 : "=r"(wrong)
			 : "r"(1), "r"(irq_register(A, TRAPEZE_CLIC_IRQ_IP_OFFSET))
			 : "memory", "ra", "t0", "t1", "t2", "a0", "a1", "a2", "a3", "a4", "a5");
	CHECK_EQ(wrong, 0U);
}

static void play(bool vectored, enum irq_entry entry)
{
	clic_setup(vectored);
	irq_entry_set(entry);
	irq_level_set(B, LEVEL_3);
	irq_level_set(C, LEVEL_1);
	for (unsigned int irq = A; irq < A + SOURCES; irq++) {
		(void)irq_connect(irq, handler, (void *)irq);
	}
	irq_unlock_all();
	count = 0U;
	check_registers();
	CHECK_EQ(count, 1U);
	CHECK_EQ(order[0], A);

	/* Two levels pending at once: the higher one is served first, and the lower one is still dispatched by its own
	 * number.
	 */
	(void)irq_lock();
	count = 0U;
	clic_raise(A);
	clic_raise(B);
	clic_raise(C);
	irq_unlock_all();
	settle();
	CHECK_EQ(count, 3U);
	CHECK_EQ(order[0], B);
	CHECK_EQ(order[1], A);
	CHECK_EQ(order[2], C);
	(void)irq_lock();
}

int main(void)
{
	test_begin();
	play(true, IRQ_ENTRY_CAREFUL);
	play(false, IRQ_ENTRY_CAREFUL);
	play(false, IRQ_ENTRY_XNXTI);
	play(false, IRQ_ENTRY_JALXNXTI);
	CHECK_EQ(irq_level_current(), 0U);
	return test_end();
}
