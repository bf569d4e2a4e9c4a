/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: accesses that the UART refuses, wider than a byte or behind its registers, change nothing; with no byte
  received it reads 0
config: [mcu-clint, mcu-fastirq]
engines: [rtl]
qemu: its UART takes them
expect: |
  PASS
*/
#include <trapeze/map.h>
#include <trapeze/uart.h>

#include "test.h"

#define REGISTERS 8U
#define ROOM      0x100U

static volatile uint8_t *reg(uint32_t offset)
{
	return (volatile uint8_t *)(TRAPEZE_UART_BASE + offset);
}

static void expect_fault(uint32_t cause)
{
	CHECK_EQ(trap_last.count, 1U);
	CHECK_EQ(trap_last.mcause, cause);
	trap_clear();
}

static void check_refused(uint32_t address)
{
	if (address - TRAPEZE_UART_BASE >= REGISTERS) {
		(void)*(volatile uint8_t *)address;
		expect_fault(MCAUSE_LOAD_FAULT);
		*(volatile uint8_t *)address = 0xffU;
		expect_fault(MCAUSE_STORE_FAULT);
	}
	if ((address & 1U) == 0U) {
		(void)*(volatile uint16_t *)address;
		expect_fault(MCAUSE_LOAD_FAULT);
		*(volatile uint16_t *)address = 0xffffU;
		expect_fault(MCAUSE_STORE_FAULT);
	}
	if ((address & 3U) == 0U) {
		(void)*(volatile uint32_t *)address;
		expect_fault(MCAUSE_LOAD_FAULT);
		*(volatile uint32_t *)address = 0xffffffffU;
		expect_fault(MCAUSE_STORE_FAULT);
	}
}

int main(void)
{
	test_begin();
	*reg(TRAPEZE_UART_FCR_OFFSET) = TRAPEZE_UART_FCR_ENABLE_MASK;
	*reg(TRAPEZE_UART_SCR_OFFSET) = 0x5aU;
	/* A byte has been received, which a read could take away. */
	*reg(TRAPEZE_UART_MCR_OFFSET) = TRAPEZE_UART_MCR_LOOPBACK_MASK;
	*reg(TRAPEZE_UART_THR_OFFSET) = 0xa5U;
	while ((*reg(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_DR_MASK) == 0U) {
	}
	*reg(TRAPEZE_UART_MCR_OFFSET) = 0U;
	for (uint32_t offset = 0U; offset < 2U * REGISTERS; offset++) {
		check_refused(TRAPEZE_UART_BASE + offset);
	}
	for (uint32_t bit = 2U * REGISTERS; bit < ROOM; bit *= 2U) {
		check_refused(TRAPEZE_UART_BASE + bit);
	}
	CHECK_EQ(*reg(TRAPEZE_UART_IER_OFFSET), 0U);
	CHECK_EQ(*reg(TRAPEZE_UART_LCR_OFFSET), 0U);
	CHECK_EQ(*reg(TRAPEZE_UART_MCR_OFFSET), 0U);
	CHECK_EQ(*reg(TRAPEZE_UART_SCR_OFFSET), 0x5aU);
	CHECK_EQ(*reg(TRAPEZE_UART_IIR_OFFSET) & TRAPEZE_UART_IIR_FIFOS_MASK,
		 TRAPEZE_UART_IIR_FIFOS_MASK);
	CHECK_EQ(*reg(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_DR_MASK,
		 TRAPEZE_UART_LSR_DR_MASK);
	CHECK_EQ(*reg(TRAPEZE_UART_RBR_OFFSET), 0xa5U);
	CHECK_EQ(*reg(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_DR_MASK, 0U);
	CHECK_EQ(*reg(TRAPEZE_UART_RBR_OFFSET), 0U);
	CHECK_NO_TRAP();
	return test_end();
}
