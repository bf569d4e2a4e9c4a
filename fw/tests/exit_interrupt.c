/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: an interrupt without a handler is reported and ends the run with 96 + its number
exit: 99
expect_regex: '\ntrapeze: interrupt without a handler, mcause 0x80000003, pc 0x8[0-9a-f]{7}, mtval
0x00000000\n'
*/
#include <trapeze/irq.h>

int main(void)
{
	irq_enable(IRQ_SOFTWARE);
	irq_unlock_all();
	irq_software_set(true);
	for (;;) {
		irq_wait();
	}
}
