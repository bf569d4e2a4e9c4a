/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: mret to user mode clears the threshold; exceptions keep the level or, from user mode, run at level 0
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "clic_test.h"

static volatile uint32_t level_in_trap;
static volatile uint32_t threshold_in_trap;
static volatile uint32_t traps;

static bool look(struct trap_frame *frame)
{
	level_in_trap = irq_level_current();
	threshold_in_trap = irq_threshold_get();
	traps++;
	return test_trap_handler(frame);
}

static void user_break(void)
{
	__asm__ volatile("ebreak");
}

static volatile uint32_t taken;
static volatile uint32_t taken_cause;
static volatile uint32_t taken_level;

static void handler(void *arg)
{
	(void)arg;
	taken++;
	taken_cause = csr_read(CSR_MCAUSE);
	taken_level = irq_level_current();
}

static void user_raise(void)
{
	clic_raise(A);
}

/* Goes to user mode with this level in mpil. */
static void user_call_at(uint32_t level, void (*function)(void))
{
	csr_write(CSR_MCAUSE, level << MCAUSE_MPIL_SHIFT);
	user_call(function);
}

int main(void)
{
	test_begin();
	(void)trap_set_handler(look);
	clic_setup(true);
	(void)irq_connect(A, handler, NULL);

	/* The threshold: cleared on the way to user mode only. */
	(void)irq_threshold_set(99U);
	level_become(0U);
	CHECK_EQ(irq_threshold_get(), 99U);
	__asm__ volatile("ebreak" : : : "memory");
	CHECK_EQ(threshold_in_trap, 99U);
	CHECK_EQ(irq_threshold_get(), 99U);
	user_call(user_break);
	CHECK_EQ(threshold_in_trap, 0U);
	CHECK_EQ(irq_threshold_get(), 0U);

	/* An exception in machine mode is handled at the level of the instruction, and returns to it.
	 */
	level_become(LEVEL_3);
	__asm__ volatile("ebreak" : : : "memory");
	CHECK_EQ(level_in_trap, LEVEL_3);
	CHECK_EQ(trap_last.mcause_all & MCAUSE_MPIL, (uint32_t)LEVEL_3 << MCAUSE_MPIL_SHIFT);
	CHECK_EQ(irq_level_current(), LEVEL_3);
	level_become(0U);

	/* An exception from user mode is handled at level 0, whatever the level in user mode. */
	trap_clear();
	user_call_at(LEVEL_3, user_break);
	CHECK_EQ(trap_last.count, 1U);
	CHECK_EQ(level_in_trap, 0U);
	CHECK_EQ(trap_last.mcause_all & MCAUSE_MPP, 0U);
	CHECK_EQ(trap_last.mcause_all & MCAUSE_MPIL, (uint32_t)LEVEL_3 << MCAUSE_MPIL_SHIFT);
	level_become(0U);

	/* Interrupts are taken in user mode, whatever the level there and mstatus.MIE. */
	(void)irq_lock();
	user_call_at(0U, user_raise);
	CHECK_EQ(taken, 1U);
	CHECK_EQ(taken_level, LEVEL_2);
	CHECK_EQ(TEST_CAUSE(taken_cause), MCAUSE_INTERRUPT | A);
	CHECK_EQ(taken_cause & (MCAUSE_MPP | MCAUSE_MPIL), 0U);
	user_call_at(LEVEL_4, user_raise);
	CHECK_EQ(taken, 2U);
	CHECK_EQ(taken_level, LEVEL_2);
	CHECK_EQ(taken_cause & (MCAUSE_MPP | MCAUSE_MPIL), (uint32_t)LEVEL_4 << MCAUSE_MPIL_SHIFT);
	level_become(0U);

	/* An interrupt of level 0 is not taken. */
	irq_level_bits_set(8U);
	irq_control_set(A, 0U);
	user_call_at(0U, user_raise);
	CHECK_EQ(taken, 2U);
	CHECK(irq_is_pending(A));
	level_become(0U);
	return test_end();
}
