/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: UART registers as a 16550 driver uses them, with the loop-back
expect: |
  PASS
*/
#include <trapeze/map.h>
#include <trapeze/uart.h>

#include "test.h"

static volatile uint8_t *reg(uint32_t offset)
{
	return (volatile uint8_t *)(TRAPEZE_UART_BASE + offset);
}

int main(void)
{
	test_begin();

	/* Scratch and line control only store their value. DLAB replaces the data registers by the divisor. */
	*reg(TRAPEZE_UART_SCR_OFFSET) = 0xa5;
	CHECK_EQ(*reg(TRAPEZE_UART_SCR_OFFSET), 0xa5U);
	*reg(TRAPEZE_UART_IER_OFFSET) = 0;
	*reg(TRAPEZE_UART_LCR_OFFSET) = TRAPEZE_UART_LCR_DLAB_MASK | 3U;
	*reg(TRAPEZE_UART_DLL_OFFSET) = 0x12;
	*reg(TRAPEZE_UART_DLM_OFFSET) = 0x34;
	CHECK_EQ(*reg(TRAPEZE_UART_DLL_OFFSET), 0x12U);
	CHECK_EQ(*reg(TRAPEZE_UART_DLM_OFFSET), 0x34U);
	*reg(TRAPEZE_UART_LCR_OFFSET) = 3;
	CHECK_EQ(*reg(TRAPEZE_UART_LCR_OFFSET), 3U);
	CHECK_EQ(*reg(TRAPEZE_UART_IER_OFFSET), 0U);

	/* Interrupt enable has four bits. IIR shows that FIFOs are on. */
	*reg(TRAPEZE_UART_FCR_OFFSET) = TRAPEZE_UART_FCR_ENABLE_MASK |
					TRAPEZE_UART_FCR_RX_RESET_MASK |
					TRAPEZE_UART_FCR_TX_RESET_MASK;
	CHECK_EQ(*reg(TRAPEZE_UART_IIR_OFFSET) & TRAPEZE_UART_IIR_FIFOS_MASK,
		 TRAPEZE_UART_IIR_FIFOS_MASK);
	CHECK_EQ(*reg(TRAPEZE_UART_IIR_OFFSET) & TRAPEZE_UART_IIR_ID_MASK,
		 TRAPEZE_UART_IIR_ID_NONE);

	/* Loop-back: bytes that are sent are received in order, and do not appear on the output. */
	while ((*reg(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_TEMT_MASK) == 0U) {
	}
	CHECK_EQ(*reg(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_DR_MASK, 0U);
	*reg(TRAPEZE_UART_MCR_OFFSET) = TRAPEZE_UART_MCR_LOOPBACK_MASK;
	for (uint32_t i = 0; i < 3U; i++) {
		*reg(TRAPEZE_UART_THR_OFFSET) = (uint8_t)(0x80U + i);
		while ((*reg(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_TEMT_MASK) == 0U) {
		}
	}
	for (uint32_t i = 0; i < 3U; i++) {
		while ((*reg(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_DR_MASK) == 0U) {
		}
		CHECK_EQ(*reg(TRAPEZE_UART_RBR_OFFSET), 0x80U + i);
	}
	CHECK_EQ(*reg(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_DR_MASK, 0U);
	*reg(TRAPEZE_UART_MCR_OFFSET) = 0;
	CHECK_NO_TRAP();
	return test_end();
}
