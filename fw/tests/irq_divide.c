/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: interrupts in every cycle of divides, multiplies and misaligned accesses do no harm
needs: [m]
expect: |
  PASS
*/
#include <trapeze/irq.h>
#include <trapeze/timer.h>

#include "test.h"

static volatile uint32_t taken;

static void timer_handler(void *arg)
{
	(void)arg;
	taken++;
	timer_cancel_alarm();
}

int main(void)
{
	static uint32_t memory[4];

	test_begin();
	(void)irq_connect(IRQ_TIMER, timer_handler, NULL);
	irq_enable(IRQ_TIMER);
	irq_unlock_all();
	for (uint32_t delay = 0; delay < 250U; delay++) {
		uint32_t quotient;
		uint32_t remainder;
		uint32_t signed_quotient;
		uint32_t product;

		memory[1] = 0U;
		timer_set_alarm(timer_now() + 5U + delay);
		/* The quotient of one divide is an operand of the next. In one of them rd and rs1 are the same. */
		__asm__ volatile("divu %0, %4, %5\n\t"
				 "remu %1, %4, %0\n\t"
				 "mulhu %3, %4, %5\n\t"
				 "sw %0, 3(%6)\n\t"
				 "lw %2, 3(%6)\n\t"
				 "div %2, %2, %7"
				 : "=&r"(quotient), "=&r"(remainder), "=&r"(signed_quotient),
				   "=&r"(product)
				 : "r"(0xfedcba98U), "r"(0x1234U), "r"(memory), "r"(-3)
				 : "memory");
		CHECK_EQ(quotient, 0xfedcba98U / 0x1234U);
		CHECK_EQ(remainder, 0xfedcba98U % (0xfedcba98U / 0x1234U));
		CHECK_EQ(product, (uint32_t)((0xfedcba98ULL * 0x1234U) >> 32));
		CHECK_EQ(signed_quotient, (uint32_t)((int32_t)(0xfedcba98U / 0x1234U) / -3));
		while (taken == delay) {
		}
		CHECK_EQ(taken, delay + 1U);
	}
	CHECK_NO_TRAP();
	return test_end();
}
