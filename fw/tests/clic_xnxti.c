/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: xnxti - which interrupts qualify, what it writes, and that a read alone changes nothing
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "clic_test.h"

static bool enabled(void)
{
	return (csr_read(CSR_MSTATUS) & MSTATUS_MIE) != 0U;
}

/* Start of a check: no interrupt claimed, at level 0, with the interrupted level as given, interrupts disabled. */
static void from(uint32_t level, uint32_t interrupted)
{
	(void)irq_lock();
	level_become(level);
	csr_write(CSR_MCAUSE, MCAUSE_MPP | (interrupted << MCAUSE_MPIL_SHIFT) | 7U);
}

static void check_untouched(unsigned int irq, uint32_t level)
{
	CHECK_EQ(irq_level_current(), level);
	CHECK_EQ(TEST_CAUSE(csr_read(CSR_MCAUSE)), 7U);
	CHECK(irq_is_pending(irq));
}

static void check_claimed(unsigned int irq, uint32_t level, uint32_t interrupted)
{
	CHECK_EQ(irq_level_current(), level);
	CHECK_EQ(TEST_CAUSE(csr_read(CSR_MCAUSE)), MCAUSE_INTERRUPT | irq);
	CHECK_EQ(csr_read(CSR_MCAUSE) & MCAUSE_MPIL, interrupted << MCAUSE_MPIL_SHIFT);
	CHECK(!irq_is_pending(irq));
}

static void without_write(void)
{
	from(0U, 0U);
	clic_raise(A);
	CHECK_EQ(NXTI_READ(), table_entry(A));
	CHECK_EQ(NXTI_SET(0), table_entry(A));
	CHECK_EQ(NXTI_CLEAR(0), table_entry(A));
	CHECK_EQ(nxti_set_register(0U), table_entry(A));
	CHECK_EQ(nxti_set_register(0xff00ffe0U), table_entry(A));
	check_untouched(A, 0U);
	CHECK(!enabled());
	irq_pending_set(A, false);
	settle();
	CHECK_EQ(NXTI_READ(), 0U);
}

static void with_write(void)
{
	/* csrrsi sets mstatus.MIE whether an interrupt qualifies or not, and claims only once. */
	from(0U, 0U);
	CHECK_EQ(NXTI_SET(8), 0U);
	CHECK(enabled());
	(void)irq_lock();
	clic_raise(A);
	CHECK_EQ(NXTI_SET(8), table_entry(A));
	CHECK(enabled());
	check_claimed(A, LEVEL_2, 0U);
	CHECK_EQ(NXTI_SET(8), 0U);
	check_claimed(A, LEVEL_2, 0U);

	/* csrrci clears mstatus.MIE in the same way. */
	from(0U, 0U);
	clic_raise(A);
	csr_set(CSR_MINTTHRESH, 255U);
	csr_set(CSR_MSTATUS, MSTATUS_MIE);
	CHECK_EQ(NXTI_CLEAR(8), 0U);
	CHECK(!enabled());
	csr_write(CSR_MINTTHRESH, 0U);
	check_untouched(A, 0U);
	CHECK_EQ(NXTI_CLEAR(8), table_entry(A));
	check_claimed(A, LEVEL_2, 0U);

	/* A bit that mstatus does not have claims all the same, and leaves MIE unchanged. */
	from(0U, 0U);
	clic_raise(A);
	CHECK_EQ(NXTI_SET(2), table_entry(A));
	CHECK(!enabled());
	check_claimed(A, LEVEL_2, 0U);
	from(0U, 0U);
	clic_raise(A);
	CHECK_EQ(NXTI_CLEAR(16), table_entry(A));
	CHECK(!enabled());
	check_claimed(A, LEVEL_2, 0U);

	/* rd = x0 makes no difference. */
	from(0U, 0U);
	clic_raise(A);
	csr_clear(CSR_MNXTI, 0U);
	check_untouched(A, 0U);
	__asm__ volatile("csrrsi x0, 0x345, 8" : : : "memory");
	CHECK(enabled());
	check_claimed(A, LEVEL_2, 0U);
}

static void levels(void)
{
	/* xnxti compares with the interrupted level, not with the present one: equal levels are chained. */
	from(LEVEL_2, 0U);
	clic_raise(A);
	CHECK_EQ(NXTI_SET(8), table_entry(A));
	check_claimed(A, LEVEL_2, 0U);
	from(LEVEL_4, LEVEL_2 - 1U);
	clic_raise(A);
	CHECK_EQ(NXTI_CLEAR(8), table_entry(A));
	check_claimed(A, LEVEL_2, LEVEL_2 - 1U); /* the present level falls */
	from(LEVEL_2, LEVEL_2);
	clic_raise(A);
	CHECK_EQ(NXTI_READ(), 0U);
	CHECK_EQ(NXTI_CLEAR(8), 0U);
	check_untouched(A, LEVEL_2);

	/* xnxti respects the threshold. */
	from(0U, 0U);
	(void)irq_threshold_set(LEVEL_2);
	CHECK_EQ(NXTI_CLEAR(8), 0U);
	check_untouched(A, 0U);
	(void)irq_threshold_set(LEVEL_2 - 1U);
	CHECK_EQ(NXTI_CLEAR(8), table_entry(A));
	check_claimed(A, LEVEL_2, 0U);
	(void)irq_threshold_set(0U);

	/* csrrs with a register compares with its bits 23:16 instead of the interrupted level. */
	from(LEVEL_2, LEVEL_4); /* at its own level A cannot preempt */
	clic_raise(A);
	CHECK_EQ(NXTI_CLEAR(8), 0U);
	CHECK_EQ(nxti_set_register((LEVEL_2 << 16) | 8U), 0U);
	CHECK(enabled());
	(void)irq_lock();
	CHECK_EQ(nxti_set_register((LEVEL_2 - 1U) << 16), table_entry(A));
	check_untouched(A, LEVEL_2);
	CHECK_EQ(nxti_set_register(((LEVEL_2 - 1U) << 16) | 8U), table_entry(A));
	CHECK(enabled());
	check_claimed(A, LEVEL_2, LEVEL_4);
	from(LEVEL_2, 0U);
	clic_raise(A);
	CHECK_EQ(nxti_set_register(0x00ff0008U), 0U);
	check_untouched(A, LEVEL_2);
	(void)irq_lock();
	irq_pending_set(A, false);
}

static void choice(void)
{
	/* xnxti returns the most important interrupt. */
	from(0U, 0U);
	irq_level_set(C, LEVEL_3);
	clic_raise(A);
	clic_raise(B);
	clic_raise(C);
	CHECK_EQ(NXTI_CLEAR(8), table_entry(C));
	check_claimed(C, LEVEL_3, 0U);
	CHECK_EQ(NXTI_CLEAR(8), table_entry(B));
	check_claimed(B, LEVEL_2, 0U);
	CHECK_EQ(NXTI_CLEAR(8), table_entry(A));
	check_claimed(A, LEVEL_2, 0U);
	CHECK_EQ(NXTI_CLEAR(8), 0U);

	/* If the winner is vectored, xnxti returns 0, although another interrupt is pending. */
	from(0U, 0U);
	irq_vectored_set(C, true);
	clic_raise(A);
	clic_raise(C);
	CHECK_EQ(NXTI_READ(), 0U);
	CHECK_EQ(NXTI_CLEAR(8), 0U);
	check_untouched(A, 0U);
	check_untouched(C, 0U);
	irq_pending_set(C, false);
	settle();
	CHECK_EQ(NXTI_CLEAR(8), table_entry(A));
	check_claimed(A, LEVEL_2, 0U);
	irq_vectored_set(C, false);
	irq_level_set(C, LEVEL_2);

	/* A level-triggered source stays pending after its claim. */
	from(0U, 0U);
	irq_vectored_set(IRQ_SOFTWARE, false);
	irq_level_set(IRQ_SOFTWARE, LEVEL_1);
	irq_enable(IRQ_SOFTWARE);
	irq_software_set(true);
	settle();
	CHECK_EQ(NXTI_CLEAR(8), table_entry(IRQ_SOFTWARE));
	CHECK_EQ(irq_level_current(), LEVEL_1);
	CHECK(irq_is_pending(IRQ_SOFTWARE));
	CHECK_EQ(NXTI_CLEAR(8), table_entry(IRQ_SOFTWARE));
	irq_software_set(false);
	settle();
	CHECK_EQ(NXTI_CLEAR(8), 0U);

	/* The table's address comes from mtvt. */
	from(0U, 0U);
	uint32_t table = csr_swap(CSR_MTVT, 0x12345600U);

	clic_raise(A);
	CHECK_EQ(NXTI_READ(), 0x12345600U + (4U * A));
	csr_write(CSR_MTVT, table);
	irq_pending_set(A, false);
}

int main(void)
{
	test_begin();
	clic_setup(false);
	without_write();
	with_write();
	levels();
	choice();
	from(0U, 0U);
	CHECK_NO_TRAP();
	return test_end();
}
