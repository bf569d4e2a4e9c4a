/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: Each hart has its own timer alarm, software interrupt, handlers and exceptions
config: [duo]
expect: |
  PASS
*/
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/timer.h>
#include <trapeze/trap.h>

#include "test.h"

/* Ticks of mtime, long enough to tell this hart's alarm from the other hart's. */
#define EARLY 2000U

TZ_SHARED static uint32_t alarms[TRAPEZE_HARTS];
TZ_SHARED static uint32_t softwares[TRAPEZE_HARTS];
TZ_SHARED static uint32_t exceptions[TRAPEZE_HARTS];
TZ_SHARED static uint32_t strangers; /* handlers that ran on the wrong hart */
TZ_SHARED static uint32_t ready;

static void alarm(void *arg)
{
	timer_cancel_alarm();
	strangers += (uint32_t)arg != hart_id() ? 1U : 0U;
	__atomic_store_n(&alarms[hart_id()], alarms[hart_id()] + 1U, __ATOMIC_RELEASE);
}

static void software(void *arg)
{
	irq_software_set(false);
	strangers += (uint32_t)arg != hart_id() ? 1U : 0U;
	__atomic_store_n(&softwares[hart_id()], softwares[hart_id()] + 1U, __ATOMIC_RELEASE);
}

static bool second_trap(struct trap_frame *frame)
{
	exceptions[hart_id()]++;
	strangers += hart_id() != 1U ? 1U : 0U;
	trap_skip(frame);
	return true;
}

static void connect(void)
{
	timer_cancel_alarm(); /* on QEMU the timer is due after reset */
	irq_connect(IRQ_TIMER, alarm, (void *)hart_id());
	irq_connect(IRQ_SOFTWARE, software, (void *)hart_id());
	irq_enable(IRQ_TIMER);
	irq_enable(IRQ_SOFTWARE);
	irq_unlock_all();
}

static void wait_for(const uint32_t *count, uint32_t value)
{
	while (__atomic_load_n(count, __ATOMIC_ACQUIRE) < value) {
	}
}

static void second(void *arg)
{
	(void)arg;
	(void)trap_set_handler(second_trap);
	connect();
	__asm__ volatile("ebreak");
	timer_set_alarm(timer_now() + EARLY);
	__atomic_store_n(&ready, 1U, __ATOMIC_RELEASE);
	wait_for(&alarms[1], 1U);
	wait_for(&softwares[1], 1U);
	hart_interrupt(0U);
	wait_for(&softwares[0], 1U);
	(void)irq_lock();
	irq_disable(IRQ_TIMER);
}

int main(void)
{
	test_begin();
	connect();
	CHECK_EQ(hart_start(1U, second, NULL), 0);
	wait_for(&ready, 1U);
	__asm__ volatile("ebreak");
	wait_for(&alarms[1], 1U);
	CHECK_EQ(alarms[0], 0U);
	hart_interrupt(1U);
	wait_for(&softwares[1], 1U);
	wait_for(&softwares[0], 1U);
	hart_wait(1U);
	timer_set_alarm(timer_now() + EARLY);
	wait_for(&alarms[0], 1U);
	CHECK_EQ(alarms[0], 1U);
	CHECK_EQ(alarms[1], 1U);
	CHECK_EQ(softwares[0], 1U);
	CHECK_EQ(softwares[1], 1U);
	CHECK_EQ(exceptions[1], 1U);
	CHECK_EQ(trap_last.count, 1U);
	CHECK_EQ(trap_last.mcause, MCAUSE_BREAKPOINT);
	CHECK_EQ(strangers, 0U);
	return test_end();
}
