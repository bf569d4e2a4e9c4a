/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: UART overrun in loop-back - without FIFOs the new byte overwrites the one in RBR, with FIFOs the new byte is
  lost
expect: |
  PASS
*/
#include <trapeze/map.h>
#include <trapeze/uart.h>

#include "test.h"

#define FIFO_BYTES 16U
#define EMPTY      (TRAPEZE_UART_LSR_THRE_MASK | TRAPEZE_UART_LSR_TEMT_MASK)
#define ONE        (EMPTY | TRAPEZE_UART_LSR_DR_MASK)

static volatile uint8_t *reg(uint32_t offset)
{
	return (volatile uint8_t *)(TRAPEZE_UART_BASE + offset);
}

/** Sends @p byte and waits long enough for the receiver, however slow memory is. */
static void send(uint32_t byte)
{
	*reg(TRAPEZE_UART_THR_OFFSET) = (uint8_t)byte;
	for (volatile uint32_t i = 0; i < 20U; i++) {
	}
}

int main(void)
{
	test_begin();
	while ((*reg(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_TEMT_MASK) == 0U) {
	}
	*reg(TRAPEZE_UART_MCR_OFFSET) = TRAPEZE_UART_MCR_LOOPBACK_MASK;

	/* Without FIFOs the previous byte is overwritten, and OE reports it once. */
	*reg(TRAPEZE_UART_FCR_OFFSET) = 0;
	(void)*reg(TRAPEZE_UART_LSR_OFFSET);
	send('A');
	CHECK_EQ(*reg(TRAPEZE_UART_LSR_OFFSET), ONE);
	send('B');
	send('C');
	CHECK_EQ(*reg(TRAPEZE_UART_LSR_OFFSET), ONE | TRAPEZE_UART_LSR_OE_MASK);
	CHECK_EQ(*reg(TRAPEZE_UART_LSR_OFFSET), ONE);
	CHECK_EQ(*reg(TRAPEZE_UART_RBR_OFFSET), 'C');
	CHECK_EQ(*reg(TRAPEZE_UART_LSR_OFFSET), EMPTY);

	/* With FIFOs the byte that finds no room is lost. */
	*reg(TRAPEZE_UART_FCR_OFFSET) = TRAPEZE_UART_FCR_ENABLE_MASK;
	for (uint32_t i = 0; i <= FIFO_BYTES; i++) {
		send(0x80U + i);
	}
	CHECK_EQ(*reg(TRAPEZE_UART_LSR_OFFSET), ONE | TRAPEZE_UART_LSR_OE_MASK);
	for (uint32_t i = 0; i < FIFO_BYTES; i++) {
		CHECK_EQ(*reg(TRAPEZE_UART_RBR_OFFSET), 0x80U + i);
	}
	CHECK_EQ(*reg(TRAPEZE_UART_LSR_OFFSET), EMPTY);

	*reg(TRAPEZE_UART_FCR_OFFSET) = 0;
	*reg(TRAPEZE_UART_MCR_OFFSET) = 0;
	CHECK_NO_TRAP();
	return test_end();
}
