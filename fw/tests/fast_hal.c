/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the HAL with fastirq - handlers of every kind, vectored and through each entry, with interrupts enabled and
  disabled
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-16, mcu-fastirq-256]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include <errno.h>

#include "fast_test.h"

static volatile uint32_t order[16];
static volatile uint32_t count;
static volatile uint32_t unlocked;
static volatile uint32_t levels[16];

static void note(uint32_t what)
{
	levels[count & 15U] = irq_level_current();
	order[count++ & 15U] = what;
	unlocked = csr_read(CSR_MSTATUS) & MSTATUS_MIE;
}

static void plain(void)
{
	note(1U);
}

/* Higher levels preempt this handler at once, or not at all. */
static void preempted(void)
{
	note(2U);
	clic_raise(A + 5);
	note(3U);
}

static void urgent(void)
{
	note(4U);
}

static void connected(void *arg)
{
	note((uint32_t)arg);
}

static void raising(void *arg)
{
	note((uint32_t)arg);
	clic_raise(A + 5);
	note((uint32_t)arg + 1U);
}

TRAPEZE_IRQ_DIRECT(9)
{
	note(9U);
}

static void clear(void)
{
	count = 0U;
	unlocked = 0U;
}

static void expect(uint32_t number, uint32_t first, uint32_t second, uint32_t third)
{
	CHECK_EQ(count, number);
	CHECK_EQ(order[0], first);
	CHECK(number < 2U || order[1] == second);
	CHECK(number < 3U || order[2] == third);
	CHECK_EQ(irq_level_current(), 0U);
	CHECK((csr_read(CSR_MSTATUS) & MSTATUS_MIE) != 0U);
	clear();
}

/* Handlers in the table: plain functions, and functions that run with interrupts disabled. */
static void check_functions(void)
{
	CHECK_EQ(irq_fast_connect(IRQ_COUNT, plain, true), -EINVAL);
	CHECK_EQ(irq_fast_connect(UINT32_MAX, plain, false), -EINVAL);
	CHECK_EQ(irq_fast_connect(A, plain, true), 0);
	CHECK_EQ(*(const uint32_t *)table_entry(A), (uint32_t)plain);
	clic_raise(A);
	CHECK_EQ(unlocked, MSTATUS_MIE);
	CHECK_EQ(levels[0], irq_level_get(A));
	expect(1U, 1U, 0U, 0U);

	CHECK_EQ(irq_fast_connect(A, plain, false), 0);
	CHECK(*(const uint32_t *)table_entry(A) != (uint32_t)plain);
	clic_raise(A);
	CHECK_EQ(unlocked, 0U);
	expect(1U, 1U, 0U, 0U);

	CHECK_EQ(irq_fast_connect(A + 5, urgent, true), 0);
	CHECK_EQ(irq_fast_connect(A + 1, preempted, true), 0);
	clic_raise(A + 1);
	expect(3U, 2U, 4U, 3U);
	CHECK_EQ(irq_fast_connect(A + 1, preempted, false), 0);
	clic_raise(A + 1);
	expect(3U, 2U, 3U, 4U);

	/* Every source has a stub of its own. */
	CHECK_EQ(irq_fast_connect(A + 2, plain, false), 0);
	CHECK_EQ(irq_fast_connect(A + 3, urgent, false), 0);
	(void)irq_lock();
	irq_pending_set(A + 2, true);
	irq_pending_set(A + 3, true);
	irq_unlock_all();
	settle();
	expect(2U, 4U, 1U, 0U);
	CHECK_EQ(irq_fast_connect(IRQ_COUNT - 1U, plain, false), 0);
	CHECK_EQ(irq_fast_connect(0U, urgent, false), 0);

	/* NULL: the handler of irq_connect() is used again, and the source becomes vectored. */
	CHECK_EQ(irq_connect(A, connected, (void *)77), 0);
	irq_vectored_set(A, false);
	CHECK_EQ(irq_fast_connect(A, NULL, true), 0);
	CHECK_EQ(*irq_register(A, TRAPEZE_CLIC_IRQ_ATTR_OFFSET) & TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK,
		 TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK);
	clic_raise(A);
	expect(1U, 77U, 0U, 0U);
}

/* A handler with an argument, through each entry. */
static void check_connected(bool vectored, enum irq_entry entry)
{
	irq_entry_set(entry);
	for (uint32_t i = 0; i < SOURCES; i++) {
		CHECK_EQ(irq_fast_connect(A + i, NULL, true), 0);
		CHECK_EQ(irq_connect(A + i, connected, (void *)(10U + i)), 0);
		irq_vectored_set(A + i, vectored);
	}
	CHECK_EQ(irq_connect(A + 2, raising, (void *)30), 0);
	clic_raise(A + 4);
	CHECK_EQ(unlocked, MSTATUS_MIE);
	CHECK_EQ(levels[0], irq_level_get(A + 4));
	expect(1U, 14U, 0U, 0U);
	clic_raise(A + 2);
	expect(3U, 30U, 15U, 31U);

	/* Several interrupts of one level, one after the other. */
	(void)irq_lock();
	for (uint32_t i = 3U; i < 6U; i++) {
		irq_control_set(A + i, fast_level(3U));
		irq_pending_set(A + i, true);
	}
	irq_unlock_all();
	settle();
	expect(3U, 15U, 14U, 13U);
	for (uint32_t i = 3U; i < 6U; i++) {
		irq_control_set(A + i, fast_level(i));
	}
}

int main(void)
{
	test_begin();
	CHECK(!irq_fast_is_enabled());
	irq_unlock_all();
	(void)irq_lock();
	CHECK(irq_fast_is_enabled());
	CHECK_EQ(csr_read(CSR_MFASTIRQ),
		 (uint32_t)__irq_fast_return | MFASTIRQ_NEST | MFASTIRQ_ENABLE);
	CHECK_EQ(*(const uint16_t *)__irq_fast_return, 0x0073U);
	CHECK_EQ(*(const uint16_t *)(__irq_fast_return + 2), 0xbc20U);

	/* If fastirq is already on, mfastirq stays as it is. */
	csr_write(CSR_MFASTIRQ, (uint32_t)__irq_fast_return | MFASTIRQ_ENABLE);
	irq_unlock_all();
	(void)irq_lock();
	CHECK_EQ(csr_read(CSR_MFASTIRQ), (uint32_t)__irq_fast_return | MFASTIRQ_ENABLE);
	csr_write(CSR_MFASTIRQ, 0U);
	CHECK_EQ(irq_connect(IRQ_COUNT, connected, NULL), -EINVAL);
	CHECK(!irq_fast_is_enabled());
	CHECK_EQ(irq_connect(A, connected, NULL), 0);
	CHECK(irq_fast_is_enabled());
	csr_write(CSR_MFASTIRQ, 0U);
	CHECK_EQ(irq_fast_connect(A, plain, true), 0);
	CHECK(irq_fast_is_enabled());

	fast_begin();
	irq_trigger_set(9U, IRQ_TRIGGER_RISING);
	irq_control_set(9U, fast_level(1U));
	irq_enable(9U);
	irq_unlock_all();
	if (IRQ_COUNT > 47) {
		clic_raise(9U);
		expect(1U, 9U, 0U, 0U);
	}
	check_functions();
	check_connected(true, IRQ_ENTRY_CAREFUL);
	check_connected(false, IRQ_ENTRY_CAREFUL);
	check_connected(false, IRQ_ENTRY_XNXTI);
	check_connected(false, IRQ_ENTRY_JALXNXTI);
	CHECK_NO_TRAP();
	return test_end();
}
