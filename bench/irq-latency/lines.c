/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The platform lines. With a CLIC they are edge-triggered, and of equal level and priority. Options:
 *
 * ENTRY, a value of enum irq_entry: the lines are not vectored but go through that entry, which calls
 * interrupt_service().
 * HANDLER_IS_FUNCTION alone: interrupt_service() is the vectored handler itself (fastirq).
 * INNERMOST, a line: levels rise with the lines, and the lines below it have handlers of outer.S.
 */
#include <stddef.h>

#include <trapeze/csr.h>
#include <trapeze/irq.h>
#ifdef TRAPEZE_IRQ_CLIC
#include <trapeze/irq_clic.h>
#endif

#include "background.h"
#include "lines.h"

#define MOST  16U
#define LINES (TRAPEZE_IRQ_LINES < MOST ? TRAPEZE_IRQ_LINES : MOST)

#ifdef INNERMOST

/* defined in outer.S */
uint32_t outer_work(void);
void outer_service(void);
void outer_service_writing(void);
extern uint32_t outer_expected;

static irq_fast_handler_t handler_of(unsigned int line)
{
	if (line >= INNERMOST) {
		return interrupt_service;
	}
	return line % 2U == 0U ? outer_service : outer_service_writing;
}

#endif

static void line_setup(unsigned int irq, unsigned int line)
{
	(void)line;
#ifdef TRAPEZE_IRQ_CLIC
	irq_trigger_set(irq, IRQ_TRIGGER_RISING);
#endif
#if defined(ENTRY)
	irq_vectored_set(irq, false);
	(void)irq_vector_set(irq, interrupt_service);
#elif defined(INNERMOST)
	irq_level_set(irq, (uint8_t)(16U * line + 15U));
	(void)irq_fast_connect(irq, handler_of(line), true);
#elif defined(HANDLER_IS_FUNCTION)
	(void)irq_fast_connect(irq, interrupt_service, true);
#endif
	irq_enable(irq);
}

void lines_setup(void)
{
#ifdef ENTRY
	irq_entry_set(ENTRY);
#endif
#ifdef INNERMOST
	irq_level_bits_set(8);
	outer_expected = outer_work();
#endif
	for (unsigned int line = 0; line < LINES; line++) {
		line_setup(IRQ_PLATFORM(line), line);
	}
	irq_unlock_all();
}
