/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: bound tasks at every distance in code with known registers, one above the other, with edges that come while
  they run
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
cases:
  optimised: {exit: 0}
  plain: {exit: 0}
*/
#include <errno.h>

#include <trapeze/bound_task.h>

#include "fast_test.h"

#ifdef CASE_PLAIN
#pragma GCC optimize("O0") /* s0 is the frame pointer then, in bound tasks, too */
#endif

#define LOW  ((uint32_t)IRQ_TIMER)
#define HIGH (A + 7U)

extern const char background[];
__asm__(".text\n"
	".balign 4\n"
	"background:\n"
	"	fast_nops 4\n"
	"	lw t0, 0(sp)\n"
	"	addi s1, s1, 3\n"
	"	sw s1, 4(sp)\n"
	"	lw a0, 4(sp)\n"
	"	add s0, s1, a0\n"
	"	fast_nops 4\n"
	"	j context_end\n");

BOUND_TASK_DEFINE(low, 1024);
BOUND_TASK_DEFINE(high, 1024);

static volatile uint32_t low_woken, high_woken, again;
static volatile uint32_t interrupted_at;

/* Everything that a function may change. */
static void trash(void)
{
	__asm__ volatile("fast_trash" : : : TEST_CALL_CLOBBERS);
	__asm__ volatile("li s1, -1" : : : "s1");
#ifndef __riscv_32e
	__asm__ volatile(".irp r, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27\n\t"
			 "li x\\r, -\\r\n\t"
			 ".endr"
			 :
			 :
			 : "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11");
#endif
}

static void low_main(void *arg)
{
	uint32_t kept[4] = {(uint32_t)arg, 5U, 6U, 7U};

	for (;;) {
		BOUND_TASK_WAIT(low);
		interrupted_at =
		    ((const struct irq_fast_frame *)(low.interrupted + BOUND_TASK_SAVED))->mepc;
		low_woken++;
		clic_raise(HIGH);
		CHECK_EQ(high_woken, low_woken);
		trash();
		if (again != 0U) {
			again--;
			irq_pending_set(LOW, true);
		}
		CHECK_EQ(kept[0] + kept[1] + kept[2] + kept[3], 0x1234U + 18U);
		CHECK_EQ(csr_read(CSR_MINTSTATUS) >> MINTSTATUS_MIL_SHIFT, fast_level(0U));
	}
}

__attribute__((noinline)) static uint32_t deeper(uint32_t depth)
{
	uint32_t sum = depth;

	if (depth == 0U) {
		BOUND_TASK_WAIT(high);
		high_woken++;
		trash();
	} else {
		sum += deeper(depth - 1U);
	}
	return sum;
}

static void high_main(void *arg)
{
	(void)arg;
	for (uint32_t round = 0U;; round++) {
		CHECK_EQ(deeper(round & 3U), (round & 3U) * ((round & 3U) + 1U) / 2U);
	}
}

static uint32_t run(const char *code)
{
	uint32_t woken = low_woken;
	struct context expected;

	again = 1U;
	interrupted_at = 0U;
	context_fill(0x1000U);
	context_stack[192] = 0x77U;
	expected = context_in;
	expected.x[REG_T0] = 0x77U;
	expected.x[REG_S1] += 3U;
	expected.x[REG_A0] = expected.x[REG_S1];
	expected.x[REG_S0] = 2U * expected.x[REG_S1];
	context_run(code, false);
	CHECK_CONTEXT(expected);
	CHECK(low_woken == woken || (low_woken == woken + 2U && again == 0U));
	return interrupted_at;
}

int main(void)
{
	fast_begin();
	CHECK_EQ(bound_task_start(&low, IRQ_COUNT, 1U, low_main, NULL), -EINVAL);
	CHECK_EQ(bound_task_start(&low, LOW, 0U, low_main, NULL), -EINVAL);
	CHECK_EQ(bound_task_start(&high, HIGH, fast_level(7U), high_main, NULL), 0);
	CHECK_EQ(bound_task_start(&low, LOW, fast_level(0U), low_main, (void *)0x1234), 0);
	irq_unlock_all();
	settle();
	(void)irq_lock();
	CHECK_EQ(low_woken + high_woken, 0U);
	CHECK(fast_sweep(background, run) > 1U); /* with wait states few places are met */
	CHECK(low_woken > 40U);
	CHECK_NO_TRAP();
	return test_end();
}
