/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Back-to-back interrupts: in each round the background computation of irq-latency runs once, and
 * two platform lines of equal level are raised in the same cycle. Rounds begin exactly PERIOD cycles
 * apart, so that the runner can raise them one cycle later in each. The first round without
 * interrupts is the last. Ends with code 0 if every result was right.
 *
 * With ENTRY, one of enum irq_entry, the lines are not vectored but go through that entry.
 */
#include <trapeze/console.h>
#include <trapeze/csr.h>
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>

#include "../irq-latency/background.h"

#define LINES 16U

/* Cycles from one round to the next; more than a round and two handlers take. */
#define PERIOD 1000U

/** Returns a fixed number of cycles after mcycle has reached @p cycle, which must be at least 80
 * cycles away; wait_until.S. */
void wait_until(uint32_t cycle);

int main(void)
{
#ifdef ENTRY
	irq_entry_set(ENTRY);
#endif
	for (unsigned int line = 0; line < LINES; line++) {
		irq_trigger_set(IRQ_PLATFORM(line), IRQ_TRIGGER_RISING);
#ifdef ENTRY
		irq_vectored_set(IRQ_PLATFORM(line), false);
		(void)irq_vector_set(IRQ_PLATFORM(line), interrupt_service);
#endif
		irq_enable(IRQ_PLATFORM(line));
	}
	irq_unlock_all();

	uint32_t start = csr_read(CSR_MCYCLE);
	uint32_t before;
	uint32_t wrong = 0U;

	do {
		before = interrupt_count;
		start += PERIOD;
		wait_until(start);
		wrong += background() == BACKGROUND_CHECKSUM ? 0U : 1U;
	} while (interrupt_count != before);

	console_puts("wrong ");
	console_put_hex(wrong);
	console_puts(" interrupts ");
	console_put_hex(interrupt_count);
	console_putc('\n');
	return wrong == 0U ? 0 : 1;
}
