/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: UART, random accesses at random distances, in loop-back and not; lockstep judges the values that they read
engines: [rtl]
qemu: what is read depends on the cycle
uart_in: "The quick brown fox jumps over the lazy dog. The five boxing wizards jump quickly. 0123456789\n"
expect_regex: '(?s).*\nPASS\n'
*/
#include <trapeze/map.h>
#include <trapeze/uart.h>

#include "test.h"

#define ROUNDS 3000U

static volatile uint8_t *reg(uint32_t offset)
{
	return (volatile uint8_t *)(TRAPEZE_UART_BASE + offset);
}

static void access_at_random(uint32_t kind, uint32_t value)
{
	volatile uint8_t *const thr = reg(TRAPEZE_UART_THR_OFFSET);

	switch (kind) {
	case 0: /* FIFOs on and off, and cleared */
		*reg(TRAPEZE_UART_FCR_OFFSET) = (uint8_t)(value & 7U);
		break;
	case 1: /* trigger level */
		*reg(TRAPEZE_UART_FCR_OFFSET) = (uint8_t)(value | TRAPEZE_UART_FCR_ENABLE_MASK);
		break;
	case 2:
		*reg(TRAPEZE_UART_MCR_OFFSET) = (uint8_t)(value & 0x1fU);
		break;
	case 3:
	case 4:
	case 5:
		*reg(TRAPEZE_UART_MCR_OFFSET) = TRAPEZE_UART_MCR_LOOPBACK_MASK;
		break;
	case 6:
		*reg(TRAPEZE_UART_IER_OFFSET) = (uint8_t)(value & 0xfU);
		break;
	case 7:
	case 8:
	case 9:
		*thr = (uint8_t)value;
		break;
	case 10: /* read at once what the write changes */
		*thr = (uint8_t)value;
		(void)*reg(TRAPEZE_UART_LSR_OFFSET);
		break;
	case 11:
		*thr = (uint8_t)value;
		(void)*reg(TRAPEZE_UART_RBR_OFFSET);
		break;
	case 12:
		*thr = (uint8_t)value;
		(void)*reg(TRAPEZE_UART_IIR_OFFSET);
		break;
	case 13:
		*thr = (uint8_t)value;
		*thr = (uint8_t)~value;
		break;
	case 14:
		*reg(TRAPEZE_UART_MCR_OFFSET) = (uint8_t)(value & 0x1fU);
		(void)*reg(TRAPEZE_UART_MSR_OFFSET);
		break;
	case 15:
		(void)*reg(TRAPEZE_UART_MSR_OFFSET);
		break;
	case 16:
	case 17:
	case 18:
		(void)*reg(TRAPEZE_UART_RBR_OFFSET);
		break;
	case 19:
	case 20:
		(void)*reg(TRAPEZE_UART_LSR_OFFSET);
		break;
	case 21:
	case 22:
		(void)*reg(TRAPEZE_UART_IIR_OFFSET);
		break;
	default:
		for (volatile uint32_t i = 0; i < value % 32U; i++) {
		}
		break;
	}
}

int main(void)
{
	uint32_t random = 0x2545f491;

	test_begin();
	for (uint32_t i = 0; i < ROUNDS; i++) {
		random ^= random << 13;
		random ^= random >> 17;
		random ^= random << 5;
		access_at_random((random >> 4) & 31U, random >> 24);
	}
	*reg(TRAPEZE_UART_MCR_OFFSET) = 0;
	*reg(TRAPEZE_UART_IER_OFFSET) = 0;
	*reg(TRAPEZE_UART_FCR_OFFSET) = 0;
	*reg(TRAPEZE_UART_THR_OFFSET) = '\n';
	CHECK_NO_TRAP();
	return test_end();
}
