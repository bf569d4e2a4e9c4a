/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Polled UART driver, or calls of the hypervisor, and the stdio streams on top of it. */
#include <stdint.h>
#include <stdio.h>

#include <trapeze/console.h>
#include <trapeze/uart.h>
#ifdef TRAPEZE_SUPERVISOR
#include <trapeze/sbi_call.h>
#endif

#ifndef TRAPEZE_SUPERVISOR
static inline volatile uint8_t *uart_register(uintptr_t offset)
{
	return (volatile uint8_t *)(CONSOLE_UART_BASE + offset);
}
#endif

void console_putc(char c)
{
#ifdef TRAPEZE_SUPERVISOR
	(void)sbi_call(SBI_CONSOLE_PUTCHAR, 0U, (unsigned char)c, 0U);
#else
	while ((*uart_register(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_THRE_MASK) == 0) {
	}
	*uart_register(TRAPEZE_UART_THR_OFFSET) = (uint8_t)c;
#endif
}

void console_write(const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		console_putc(bytes[i]);
	}
}

void console_puts(const char *text)
{
	while (*text != '\0') {
		console_putc(*text++);
	}
}

void console_put_hex(unsigned long value)
{
	console_puts("0x");
	for (int shift = __riscv_xlen - 4; shift >= 0; shift -= 4) {
		console_putc("0123456789abcdef"[(value >> shift) & 15U]);
	}
}

int console_try_getc(void)
{
#ifdef TRAPEZE_SUPERVISOR
	return (int)sbi_call(SBI_CONSOLE_GETCHAR, 0U, 0U, 0U).error;
#else
	if ((*uart_register(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_DR_MASK) == 0) {
		return -1;
	}
	return *uart_register(TRAPEZE_UART_RBR_OFFSET);
#endif
}

int console_getc(void)
{
	int c;

	do {
		c = console_try_getc();
	} while (c < 0);
	return c;
}

static int stream_put(char c, FILE *stream)
{
	(void)stream;
	console_putc(c);
	return (unsigned char)c;
}

static int stream_get(FILE *stream)
{
	(void)stream;
	return console_getc();
}

static FILE console_stream = FDEV_SETUP_STREAM(stream_put, stream_get, NULL, _FDEV_SETUP_RW);

FILE *const stdin = &console_stream;
FILE *const stdout = &console_stream;
FILE *const stderr = &console_stream;
