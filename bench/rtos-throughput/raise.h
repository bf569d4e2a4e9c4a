/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief An interrupt that a program raises itself, on every configuration by the same means: the UART, whose transmitter is
 * always empty, asks for data as long as it may.
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

/** The handler's: the interrupt is not pending any more. */
static inline void raise_end(void)
{
	*raise_register() = 0U;
}

#endif /* RAISE_H_ */
