/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief An interrupt that a program raises itself, by the same means on every configuration: the UART's. Its
 * transmitter is always empty, so the interrupt comes as soon as it is enabled.
 */
#ifndef RAISE_H_
#define RAISE_H_

#include <stddef.h>
#include <stdint.h>

#include <trapeze/irq.h>
#include <trapeze/map.h>
#include <trapeze/uart.h>

static inline volatile uint8_t *raise_register(void)
{
	return (volatile uint8_t *)(TRAPEZE_UART_BASE + TRAPEZE_UART_IER_OFFSET);
}

/** Connects the handler, which has to begin with raise_end(). */
static inline void raise_setup(irq_handler_t handler)
{
	(void)irq_connect(IRQ_EXTERNAL, handler, NULL);
	irq_enable(IRQ_EXTERNAL);
}

/** Raises the interrupt. */
static inline void raise_begin(void)
{
	*raise_register() = TRAPEZE_UART_IER_ETBEI_MASK;
}

/** Ends the pending interrupt. Called by the handler. */
static inline void raise_end(void)
{
	*raise_register() = 0U;
}

#endif /* RAISE_H_ */
