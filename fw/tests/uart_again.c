/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: UART registers written again with their own value, even in the middle of a transmission, change nothing
config: [mcu-clint]
engines: [rtl]
qemu: there a byte in loop-back takes its time on the line
expect: |
  0123456789abcdefghijklmnopqrstuvwxyz
  PASS
*/
#include <trapeze/map.h>
#include <trapeze/uart.h>

#include "test.h"

#define BYTES 12U

static volatile uint8_t *reg(uint32_t offset)
{
	return (volatile uint8_t *)(TRAPEZE_UART_BASE + offset);
}

/* Values of the registers; of the FIFO control without the bits that clear. */
struct values {
	uint8_t ier;
	uint8_t fcr;
	uint8_t lcr;
	uint8_t mcr;
	uint8_t scr;
};

static void write_all(const struct values *values)
{
	*reg(TRAPEZE_UART_FCR_OFFSET) = values->fcr;
	*reg(TRAPEZE_UART_IER_OFFSET) = values->ier;
	*reg(TRAPEZE_UART_MCR_OFFSET) = values->mcr;
	*reg(TRAPEZE_UART_LCR_OFFSET) = values->lcr;
	*reg(TRAPEZE_UART_SCR_OFFSET) = values->scr;
}

/* Writes one register again, chosen by a number; the divisor latches come last. */
static void write_one(const struct values *values, uint32_t which)
{
	switch (which % 6U) {
	case 0:
		*reg(TRAPEZE_UART_FCR_OFFSET) = values->fcr;
		break;
	case 1:
		*reg(TRAPEZE_UART_IER_OFFSET) = values->ier;
		break;
	case 2:
		*reg(TRAPEZE_UART_MCR_OFFSET) = values->mcr;
		break;
	case 3:
		*reg(TRAPEZE_UART_LCR_OFFSET) = values->lcr;
		break;
	case 4:
		*reg(TRAPEZE_UART_SCR_OFFSET) = values->scr;
		break;
	default:
		*reg(TRAPEZE_UART_LCR_OFFSET) = values->lcr | TRAPEZE_UART_LCR_DLAB_MASK;
		*reg(TRAPEZE_UART_DLL_OFFSET) = *reg(TRAPEZE_UART_DLL_OFFSET);
		*reg(TRAPEZE_UART_DLM_OFFSET) = *reg(TRAPEZE_UART_DLM_OFFSET);
		*reg(TRAPEZE_UART_LCR_OFFSET) = values->lcr;
		break;
	}
}

/* Sends bytes in loop-back and writes registers again before and after each. All bytes arrive, in order. */
static void loop_back(const struct values *values, uint32_t which)
{
	write_all(values);
	for (uint32_t i = 0; i < BYTES; i++) {
		*reg(TRAPEZE_UART_THR_OFFSET) = (uint8_t)(16U * which + i);
		write_one(values, which + i / 3U);
	}
	for (uint32_t i = 0; i < BYTES; i++) {
		CHECK((*reg(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_DR_MASK) != 0U);
		write_one(values, which);
		CHECK_EQ(*reg(TRAPEZE_UART_RBR_OFFSET), (uint8_t)(16U * which + i));
	}
	CHECK_EQ(*reg(TRAPEZE_UART_LSR_OFFSET),
		 TRAPEZE_UART_LSR_THRE_MASK | TRAPEZE_UART_LSR_TEMT_MASK);
}

static uint32_t interrupt_id(void)
{
	return *reg(TRAPEZE_UART_IIR_OFFSET) & TRAPEZE_UART_IIR_ID_MASK;
}

int main(void)
{
	struct values values = {0U, TRAPEZE_UART_FCR_ENABLE_MASK, 3U, 0U, 0xa5U};

	test_begin();

	/* The same while bytes are sent to the output. */
	write_all(&values);
	for (uint32_t i = 0; i < 36U; i++) {
		*reg(TRAPEZE_UART_THR_OFFSET) =
		    (uint8_t)(i < 10U ? (uint32_t)'0' + i : (uint32_t)'a' + i - 10U);
		write_one(&values, i);
		write_one(&values, i / 6U);
	}
	*reg(TRAPEZE_UART_THR_OFFSET) = '\n';
	write_all(&values);
	while ((*reg(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_TEMT_MASK) == 0U) {
	}

	values.mcr = TRAPEZE_UART_MCR_LOOPBACK_MASK;
	for (uint32_t which = 0; which < 6U; which++) {
		loop_back(&values, which);
	}

	/* The transmitter's interrupt does not come again after it was taken, and is not lost while it waits. */
	values.ier = TRAPEZE_UART_IER_ETBEI_MASK;
	*reg(TRAPEZE_UART_IER_OFFSET) = values.ier;
	for (uint32_t which = 0; which < 6U; which++) {
		write_one(&values, which);
	}
	CHECK_EQ(interrupt_id(), TRAPEZE_UART_IIR_ID_THR_EMPTY);
	for (uint32_t which = 0; which < 6U; which++) {
		write_one(&values, which);
		CHECK_EQ(interrupt_id(), TRAPEZE_UART_IIR_ID_NONE);
	}

	/* Writing outputs with their own values changes no line. */
	values.mcr |= TRAPEZE_UART_MCR_DTR_MASK | TRAPEZE_UART_MCR_OUT1_MASK;
	*reg(TRAPEZE_UART_MCR_OFFSET) = values.mcr;
	(void)*reg(TRAPEZE_UART_MSR_OFFSET);
	(void)*reg(TRAPEZE_UART_MSR_OFFSET);
	for (uint32_t which = 0; which < 6U; which++) {
		write_one(&values, which);
		CHECK_EQ(*reg(TRAPEZE_UART_MSR_OFFSET) & 0xfU, 0U);
	}

	values.ier = 0U;
	values.mcr = 0U;
	write_all(&values);
	CHECK_NO_TRAP();
	return test_end();
}
