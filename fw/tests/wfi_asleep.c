/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the hart reports that it sleeps, so that the simulator ends a run in which nothing can wake it
config: [mcu-clint, mcu-clic, mcu-fastirq]
engines: [rtl]
qemu: it sleeps for ever
exit: 122
expect: ""
*/
#include <trapeze/irq.h>

int main(void)
{
	(void)irq_lock();
	for (;;) {
		irq_wait();
	}
}
