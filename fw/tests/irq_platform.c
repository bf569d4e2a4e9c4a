/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: every platform line is taken once, as its own cause, through its own vector
engines: [rtl]
qemu: it has no platform lines
irq: ["0@4000", "1@4300", "2@4600", "3@4900", "4@5200", "5@5500", "6@5800", "7@6100",
      "8@6400", "9@6700", "10@7000", "11@7300", "12@7600", "13@7900", "14@8200", "15@8500"]
expect: |
  PASS
*/
#include <trapeze/irq.h>

#include "test.h"

static volatile uint32_t count;
static volatile uint32_t times_taken[16];
static volatile uint32_t direct_taken;

static void handler(void *arg)
{
	uint32_t line = (uint32_t)arg;

	CHECK_EQ(TEST_CAUSE(csr_read(CSR_MCAUSE)), MCAUSE_INTERRUPT | IRQ_PLATFORM(line));
	times_taken[line]++;
	count++;
}

/* Line 5 has a direct handler. */
TRAPEZE_IRQ_DIRECT(21)
{
	direct_taken++;
	times_taken[5]++;
	count++;
}

int main(void)
{
	test_begin();
	for (uint32_t line = 0; line < 16U; line++) {
		(void)irq_connect(IRQ_PLATFORM(line), handler, (void *)line);
		irq_enable(IRQ_PLATFORM(line));
	}
	while (count < 16U) {
		irq_wait();
		irq_unlock_all();
		irq_lock();
	}
	for (uint32_t line = 0; line < 16U; line++) {
		CHECK_EQ(times_taken[line], 1U);
	}
	CHECK_EQ(direct_taken, 1U);
	CHECK_EQ(csr_read(CSR_MIP), 0U);
	return test_end();
}
