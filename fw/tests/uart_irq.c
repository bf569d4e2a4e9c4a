/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: UART interrupts reach the core as its external interrupt
engines: [rtl]
qemu: there the UART interrupts through a PLIC
uart_in: "abcdefghijklmnopqrstuvwxyz\n"
expect: |
  abcdefghijklmnopqrstuvwxyz
  PASS
*/
#include <trapeze/irq.h>
#include <trapeze/map.h>
#include <trapeze/uart.h>

#include "test.h"

static volatile char received[64];
static volatile uint32_t received_count;
static volatile uint32_t transmit_interrupts;

static volatile uint8_t *reg(uint32_t offset)
{
	return (volatile uint8_t *)(TRAPEZE_UART_BASE + offset);
}

static void handler(void *arg)
{
	(void)arg;
	uint32_t id = *reg(TRAPEZE_UART_IIR_OFFSET) & TRAPEZE_UART_IIR_ID_MASK;

	if (id == TRAPEZE_UART_IIR_ID_THR_EMPTY) {
		transmit_interrupts++;
		return;
	}
	CHECK(id == TRAPEZE_UART_IIR_ID_RX_DATA || id == TRAPEZE_UART_IIR_ID_RX_TIMEOUT);
	while ((*reg(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_DR_MASK) != 0U) {
		received[received_count & 63U] = (char)*reg(TRAPEZE_UART_RBR_OFFSET);
		received_count++;
	}
}

int main(void)
{
	test_begin();
	(void)irq_connect(IRQ_EXTERNAL, handler, NULL);
	irq_enable(IRQ_EXTERNAL);
	irq_unlock_all();

	/* The transmitter is empty: enabling its interrupt raises it once, and reading IIR clears it. */
	*reg(TRAPEZE_UART_IER_OFFSET) = TRAPEZE_UART_IER_ETBEI_MASK;
	while (transmit_interrupts == 0U) {
	}
	CHECK_EQ(transmit_interrupts, 1U);

	*reg(TRAPEZE_UART_IER_OFFSET) = TRAPEZE_UART_IER_ERBFI_MASK;
	irq_lock();
	while (received_count < 27U) {
		irq_wait();
		irq_unlock_all();
		irq_lock();
	}
	*reg(TRAPEZE_UART_IER_OFFSET) = 0;
	for (uint32_t i = 0; i < received_count; i++) {
		console_putc(received[i]);
	}
	CHECK_EQ(received_count, 27U);
	CHECK(!irq_is_pending(IRQ_EXTERNAL));
	CHECK_NO_TRAP();
	return test_end();
}
