/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Interrupt latency: a background computation runs between markers 2 and 3 while platform
 * interrupts arrive; the handlers place marker 1 and count. The computation's result shows whether
 * an interrupt disturbed it. Ends with code 0 if the result is right.
 *
 * With a CLIC the lines are edge-triggered. With ENTRY, one of enum irq_entry, they are not vectored
 * but go through that entry, which calls interrupt_service().
 */
#include <stdint.h>

#include <trapeze/console.h>
#include <trapeze/csr.h>
#include <trapeze/irq.h>
#ifdef TRAPEZE_IRQ_CLIC
#include <trapeze/irq_clic.h>
#endif

#include "background.h"

#define LINES 16U

/** The computation, background.S: returns its checksum. */
uint32_t background(void);

int main(void)
{
#ifdef ENTRY
	irq_entry_set(ENTRY);
#endif
	for (unsigned int line = 0; line < LINES; line++) {
#ifdef TRAPEZE_IRQ_CLIC
		irq_trigger_set(IRQ_PLATFORM(line), IRQ_TRIGGER_RISING);
#endif
#ifdef ENTRY
		irq_vectored_set(IRQ_PLATFORM(line), false);
		(void)irq_vector_set(IRQ_PLATFORM(line), interrupt_service);
#endif
		irq_enable(IRQ_PLATFORM(line));
	}
	irq_unlock_all();

	uint32_t checksum = background();

	console_puts("checksum ");
	console_put_hex(checksum);
	console_puts(" interrupts ");
	console_put_hex(interrupt_count);
	console_putc('\n');
	return checksum == BACKGROUND_CHECKSUM ? 0 : 1;
}
