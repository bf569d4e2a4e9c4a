/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the software interrupt is pending, enabled, locked and taken as the specification says
expect: |
  PASS
*/
#include <trapeze/clint.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>

#include "test.h"

/* With the CLIC, connected handlers run with interrupts enabled. */
#ifdef TRAPEZE_IRQ_CLIC
#define HANDLER_MIE MSTATUS_MIE
#else
#define HANDLER_MIE 0U
#endif

static volatile uint32_t taken;
static volatile uint32_t taken_mstatus;
static volatile uint32_t taken_mcause;

static void handler(void *arg)
{
	taken++;
	*(volatile uint32_t *)arg += 1U;
	taken_mstatus = csr_read(CSR_MSTATUS);
	taken_mcause = csr_read(CSR_MCAUSE);
	irq_software_set(false);
}

static void user_raise(void)
{
	irq_software_set(true);
}

int main(void)
{
	volatile uint32_t argument = 0U;
	volatile uint32_t *msip =
	    (volatile uint32_t *)(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MSIP_OFFSET);

	test_begin();
	(void)irq_connect(IRQ_SOFTWARE, handler, (void *)&argument);

	/* Only bit 0 of msip exists. */
	*msip = 0xfffffffeU;
	CHECK_EQ(*msip, 0U);
	*msip = 0xffffffffU;
	CHECK_EQ(*msip, 1U);
	CHECK(irq_is_pending(IRQ_SOFTWARE));
#ifndef TRAPEZE_IRQ_CLIC
	CHECK_EQ(csr_read(CSR_MIP) & 0xffffU & ~(1U << IRQ_TIMER), 1U << IRQ_SOFTWARE);
#endif

	/* Pending but disabled, then enabled while interrupts are off globally. */
	irq_unlock_all();
	CHECK_EQ(taken, 0U);
	unsigned int key = irq_lock();
	unsigned int inner = irq_lock();

	irq_enable(IRQ_SOFTWARE);
	CHECK(irq_is_enabled(IRQ_SOFTWARE));
	irq_unlock(inner);
	CHECK_EQ(taken, 0U);
	irq_unlock(key);
	CHECK_EQ(taken, 1U);
	CHECK_EQ(argument, 1U);
	CHECK_EQ(TEST_CAUSE(taken_mcause), MCAUSE_INTERRUPT | IRQ_SOFTWARE);
	CHECK_EQ(taken_mstatus & (MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPP),
		 HANDLER_MIE | MSTATUS_MPIE | MSTATUS_MPP_M);
	CHECK(!irq_is_pending(IRQ_SOFTWARE));
	CHECK_EQ(csr_read(CSR_MSTATUS) & MSTATUS_MIE, MSTATUS_MIE);

	/* Taken before the instructions behind the store that raises it, because irq_software_set() reads back. */
	irq_software_set(true);
	CHECK_EQ(taken, 2U);
	irq_disable(IRQ_SOFTWARE);
	irq_software_set(true);
	CHECK_EQ(taken, 2U);
	irq_software_set(false);
	irq_enable(IRQ_SOFTWARE);
	CHECK_EQ(taken, 2U);

	/* User mode cannot disable interrupts of machine mode. */
	irq_lock();
	user_call(user_raise);
	CHECK_EQ(taken, 3U);
	CHECK_EQ(taken_mstatus & MSTATUS_MPP, MSTATUS_MPP_U);
	return test_end();
}
