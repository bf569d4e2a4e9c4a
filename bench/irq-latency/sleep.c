/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The timer that ends the sleep of sleep.S, once. It is edge-triggered, so its handler does not need to access the
 * timer. The platform lines preempt it.
 */
#include <stdint.h>

#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>
#include <trapeze/irq_fast.h>
#include <trapeze/timer.h>

#include "background.h"

/* Cycles from here to the end of the sleep: more than the way to the wfi takes, with an interrupt on it. */
#define DISTANCE 400U

#define LEVEL_TIMER 127U
#define LEVEL_LINES 255U

static void wake(void)
{
}

void sleep_setup(void)
{
	irq_level_bits_set(8U);
	for (unsigned int line = 0; line < TRAPEZE_IRQ_LINES; line++) {
		irq_level_set(IRQ_PLATFORM(line), LEVEL_LINES);
	}
	irq_level_set(IRQ_TIMER, LEVEL_TIMER);
	irq_trigger_set(IRQ_TIMER, IRQ_TRIGGER_RISING);
	(void)irq_fast_connect(IRQ_TIMER, wake, true);
	irq_enable(IRQ_TIMER);
	timer_set_alarm(timer_now() + DISTANCE);
}
