/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: each of the 48 platform lines is taken once, as its own source, through its own vector
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
irq: ["0@20000", "1@20400", "2@20800", "3@21200", "4@21600", "5@22000",
      "6@22400", "7@22800", "8@23200", "9@23600", "10@24000", "11@24400",
      "12@24800", "13@25200", "14@25600", "15@26000", "16@26400", "17@26800",
      "18@27200", "19@27600", "20@28000", "21@28400", "22@28800", "23@29200",
      "24@29600", "25@30000", "26@30400", "27@30800", "28@31200", "29@31600",
      "30@32000", "31@32400", "32@32800", "33@33200", "34@33600", "35@34000",
      "36@34400", "37@34800", "38@35200", "39@35600", "40@36000", "41@36400",
      "42@36800", "43@37200", "44@37600", "45@38000", "46@38400", "47@38800"]
expect: |
  PASS
*/
#include "clic_test.h"

#define LINES 48U

static volatile uint32_t count;
static volatile uint32_t times_taken[LINES];
static volatile uint32_t direct_taken;

static void handler(void *arg)
{
	uint32_t line = (uint32_t)arg;

	CHECK_EQ(TEST_CAUSE(csr_read(CSR_MCAUSE)), MCAUSE_INTERRUPT | IRQ_PLATFORM(line));
	times_taken[line]++;
	count++;
}

/* Line 47 has a direct handler. */
TRAPEZE_IRQ_DIRECT(63)
{
	direct_taken++;
	times_taken[47]++;
	count++;
}

int main(void)
{
	test_begin();
	for (uint32_t line = 0; line < LINES; line++) {
		(void)irq_connect(IRQ_PLATFORM(line), handler, (void *)line);
		/* Of each kind some: level and edge, vectored and not. */
		if ((line & 1U) != 0U) {
			irq_trigger_set(IRQ_PLATFORM(line), IRQ_TRIGGER_RISING);
			irq_vectored_set(IRQ_PLATFORM(line), (line & 2U) != 0U);
		}
		irq_enable(IRQ_PLATFORM(line));
	}
	while (count < LINES) {
		irq_wait();
		irq_unlock_all();
		irq_lock();
	}
	for (uint32_t line = 0; line < LINES; line++) {
		CHECK_EQ(times_taken[line], 1U);
		CHECK(!irq_is_pending(IRQ_PLATFORM(line)));
	}
	CHECK_EQ(direct_taken, 1U);
	CHECK_NO_TRAP();
	return test_end();
}
