/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* The console, and the functions that the compiler calls by itself. */
#include <stddef.h>
#include <stdint.h>

#include <trapeze/map.h>
#include <trapeze/uart.h>

#include "platform.h"

static void put(char c)
{
	volatile uint8_t *uart = (volatile uint8_t *)(uintptr_t)TRAPEZE_UART_BASE;

	while ((uart[TRAPEZE_UART_LSR_OFFSET] & TRAPEZE_UART_LSR_THRE_MASK) == 0) {
	}
	uart[TRAPEZE_UART_THR_OFFSET] = (uint8_t)c;
}

static void put_text(const char *text)
{
	while (*text != '\0') {
		put(*text++);
	}
}

static void put_number(uint64_t value)
{
	char digits[20];
	unsigned int length = 0;

	do {
		digits[length++] = (char)('0' + (value % 10U));
		value /= 10U;
	} while (value != 0U);
	put(' ');
	while (length > 0U) {
		put(digits[--length]);
	}
}

void result(const char *name, uint64_t first, uint64_t second, uint64_t third)
{
	put_text(name);
	put_number(first);
	put_number(second);
	put_number(third);
	put('\n');
}

/** Reports a trap that no program expects; start.S ends the run behind it. */
void unexpected_trap(uint64_t cause, uint64_t pc, uint64_t value);

void unexpected_trap(uint64_t cause, uint64_t pc, uint64_t value)
{
	result("trap", cause, pc, value);
}

/* The compiler makes calls of these from loops and assignments. */
void *memset(void *to, int value, size_t length)
{
	unsigned char *at = to;

	for (size_t i = 0; i < length; i++) {
		at[i] = (unsigned char)value;
	}
	return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t length)
{
	unsigned char *at = to;
	const unsigned char *source = from;

	for (size_t i = 0; i < length; i++) {
		at[i] = source[i];
	}
	return to;
}
