/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Three handlers of rising level, each of which makes the next one pending at once: up to three contexts are on their
 * way to the stack when line 3, of the highest level, rises. Its handler begins with marker 1.
 */
#include <stddef.h>
#include <stdint.h>

#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>
#include <trapeze/marker.h>

#ifndef ROUNDS
#define ROUNDS 40U
#endif
#define MEASURED 3U

static volatile uint32_t served;
static volatile uint32_t words[4] = {7, 5, 3, 1};

/* The chain's end: a little work, with the frames of all three handlers below it. */
static void third(void)
{
	words[2] += words[1];
	served++;
}

static void second(void)
{
	irq_pending_set(IRQ_PLATFORM(2), true);
	words[1] += words[0];
	served++;
}

static void first(void)
{
	irq_pending_set(IRQ_PLATFORM(1), true);
	words[0]++;
	served++;
}

static void measured(void)
{
	TRAPEZE_MARKER(1);
}

static void connect(unsigned int line, irq_fast_handler_t handler)
{
	unsigned int irq = IRQ_PLATFORM(line);

	irq_trigger_set(irq, IRQ_TRIGGER_RISING);
	irq_level_set(irq, (uint8_t)(64U * line + 63U));
	(void)irq_fast_connect(irq, handler, true);
	irq_enable(irq);
}

int main(void)
{
	irq_level_bits_set(8);
	connect(0, first);
	connect(1, second);
	connect(2, third);
	connect(MEASURED, measured);
	irq_unlock_all();
	TRAPEZE_MARKER(2);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		irq_pending_set(IRQ_PLATFORM(0), true);
		/* What else a program does: a division, a product, loads and stores, a branch. */
		words[3] = words[0] / (words[1] | 1U) + words[2] * words[3];
		if ((words[3] & 1U) != 0U) {
			words[3]++;
		}
	}
	return served == 3U * ROUNDS ? 0 : 1;
}
