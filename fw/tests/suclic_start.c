/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: after start-up every source is machine mode's as soon as nmbits is set, user mode sees only the sources that
  it is given, and uret of machine mode leaves it neither that mode's data privilege nor its threshold
config: [mcu-user, mcu-user-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include <errno.h>
#include <stddef.h>

#include <trapeze/user.h>

#include "suclic_test.h"

static void handler(void)
{
}

/* To user mode by uret, with MPRV and a threshold set, and back by an ecall. */
static void enter_by_uret(void)
{
	open_all(true);
	csr_set(CSR_MSTATUS, MSTATUS_MPP | MSTATUS_MPRV);
	(void)irq_threshold_set(0x40U);
	csr_write(CSR_UCAUSE, 0U);
	__asm__ volatile("la t0, test_user_exit\n\t"
			 "la t1, 1f\n\t"
			 "sw t1, (t0)\n\t"
			 "csrw %0, t1\n\t"
			 "la t0, test_user_resume\n\t"
			 "la t1, 2f\n\t"
			 "sw t1, (t0)\n\t" TRAPEZE_URET "\n"
			 "1:\n\t"
			 "ecall\n"
			 "2:"
			 :
			 : "i"(CSR_UEPC)
			 : TEST_CALL_CLOBBERS);
	CHECK_EQ(csr_read(CSR_MSTATUS) & MSTATUS_MPRV, 0U);
	CHECK_EQ(csr_read(CSR_MINTTHRESH), 0U);
	CHECK_NO_TRAP();
}

int main(void)
{
	test_begin();
	enter_by_uret();
	for (unsigned int irq = 0U; irq < IRQ_COUNT; irq++) {
		irq_control_set(irq, 0xffU);
	}
	SETTING = SETTING | (1U << TRAPEZE_CLIC_MCLICCFG_NMBITS_SHIFT);
	for (unsigned int irq = 0U; irq < IRQ_COUNT; irq++) {
		CHECK_EQ(*irq_register(irq, TRAPEZE_CLIC_IRQ_ATTR_OFFSET),
			 TRAPEZE_CLIC_IRQ_ATTR_MODE_MASK | TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK);
		USER_SOURCE(irq) = SOURCE_WORD(0U, LEVEL_1);
		CHECK_EQ(USER_SOURCE(irq), 0U);
		CHECK_EQ(irq_control_get(irq), 0xffU);
	}

	CHECK_EQ(user_irq_give(IRQ_COUNT, 1U, handler), -EINVAL);
	CHECK_EQ(user_irq_give(B, 0U, handler), -EINVAL);
	CHECK_EQ(user_irq_give(B, 1U, NULL), -EINVAL);
	CHECK_EQ(user_irq_give(B, LEVEL_2, handler), 0U);
	for (unsigned int irq = 0U; irq < IRQ_COUNT; irq++) {
		CHECK_EQ(USER_SOURCE(irq) != 0U, irq == B);
	}
	CHECK_EQ(USER_SOURCE(B), SOURCE_WORD(0U, LEVEL_2) & ~0x00020000U);
	CHECK(irq_is_enabled(B));
	return test_end();
}
