/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Interrupts of a program in user mode under a monitor: what irq_connect() was given, behind the entry in
 * start/user.S. Exceptions are the monitor's. */
#include <errno.h>
#include <stddef.h>

#include <trapeze/console.h>
#include <trapeze/exit.h>
#include <trapeze/irq.h>

struct irq_slot {
	irq_handler_t handler;
	void *arg;
};

static struct irq_slot irq_slots[IRQ_COUNT];

/* Interrupt without a handler: the exit code has room for this many. */
#define REPORTED_NUMBERS 32U

/* Entry point for start/user.S. */
void __irq_dispatch(uint32_t mcause);

int irq_connect(unsigned int irq, irq_handler_t handler, void *arg)
{
	if (irq >= IRQ_COUNT) {
		return -EINVAL;
	}

	unsigned int key = irq_lock();

	irq_slots[irq] = (struct irq_slot){.handler = handler, .arg = arg};
	irq_unlock(key);
	return 0;
}

void __irq_dispatch(uint32_t mcause)
{
	uint32_t irq = mcause & MCAUSE_CODE;

	if (irq >= IRQ_COUNT || irq_slots[irq].handler == NULL) {
		console_puts("\ntrapeze: interrupt without a handler, mcause ");
		console_put_hex(MCAUSE_INTERRUPT | irq);
		console_puts(", pc ");
		console_put_hex(monitor_page.mepc);
		console_putc('\n');
		trapeze_exit(TRAPEZE_EXIT_INTERRUPT + (int)(irq % REPORTED_NUMBERS));
	}
	irq_slots[irq].handler(irq_slots[irq].arg);
	monitor_irq_done(irq);
}
