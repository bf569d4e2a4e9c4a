/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: an interrupt without memory for its frame is reported and ends the run with 64 + its cause
config: [mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no fastirq
exit: 88
expect_regex: '\ntrapeze: unexpected exception: interrupt frame store fault, mcause 0x00000018, pc 0x8[0-9a-f]{7},
  mtval 0x900000[0-9a-f]{2}\n'
*/
#include <trapeze/clint.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>

static volatile uint32_t spins;

static void spin(void)
{
	for (;;) {
		spins++;
	}
}

int main(void)
{
	(void)irq_fast_connect(IRQ_SOFTWARE, spin, true);
	irq_enable(IRQ_SOFTWARE);
	irq_unlock_all();
	__asm__ volatile("li sp, 0x90000080\n\t"
			 "sw %1, 0(%0)\n"
			 "1:\tj 1b"
			 :
			 : "r"(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MSIP_OFFSET), "r"(1)
			 : "memory");
	return 0;
}
