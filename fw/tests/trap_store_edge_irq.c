/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a store whose second half is refused, with an interrupt at every distance - the exception names the right mode
engines: [rtl]
qemu: its memory does not end here
expect: |
  PASS
*/
#include <trapeze/irq.h>
#include <trapeze/map.h>
#include <trapeze/timer.h>

#include "test.h"

#define EDGE      (TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE)
#define DISTANCES 120U
#define TURNS     2000U /* rounds of a loop that waits for the alarm */

static volatile uint32_t taken;
static uint32_t delay;

static void timer_handler(void *arg)
{
	(void)arg;
	taken++;
	timer_cancel_alarm();
}

/** Stores across the edge while the alarm comes nearer. */
static void store(void)
{
	timer_set_alarm(timer_now() + 5U + delay);
	__asm__ volatile("sw %0, -2(%1)\n\t"
			 "nop\n\t"
			 "sw %0, -1(%1)\n\t"
			 "nop\n\t"
			 "sh %0, -1(%1)"
			 :
			 : "r"(0x600df00dU), "r"(EDGE)
			 : "memory");
	for (uint32_t turn = 0U; taken == delay && turn < TURNS; turn++) {
	}
}

static void check(uint32_t mode)
{
	taken = 0U;
	for (delay = 0U; delay < DISTANCES; delay++) {
		trap_clear();
		if (mode == 0U) {
			user_call(store);
		} else {
			store();
		}
		CHECK_EQ(trap_last.count, 3U);
		CHECK_EQ(trap_last.mcause, MCAUSE_STORE_FAULT);
		CHECK_EQ(trap_last.mtval, EDGE);
		CHECK_EQ(trap_last.mstatus & MSTATUS_MPP, mode);
		CHECK_EQ(trap_last.mstatus & MSTATUS_MPIE, MSTATUS_MPIE);
		CHECK_EQ(taken, delay + 1U);
	}
}

int main(void)
{
	volatile uint32_t *last = (volatile uint32_t *)(EDGE - 4U);
	uint32_t kept = *last;

	test_begin();
	(void)irq_connect(IRQ_TIMER, timer_handler, NULL);
	irq_enable(IRQ_TIMER);
	irq_unlock_all();
	check(MSTATUS_MPP_M);
	check(0U);
	*last = kept;
	return test_end();
}
