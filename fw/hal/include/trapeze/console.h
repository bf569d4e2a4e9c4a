/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The console: polled driver for the 16550-compatible UART. stdin, stdout and stderr go
 * through it.
 */
#ifndef TRAPEZE_CONSOLE_H_
#define TRAPEZE_CONSOLE_H_

#include <stddef.h>
#include <stdint.h>

#include <trapeze/map.h>

/** Registers of the UART. A program for hart 1 beside Linux uses a UART of its own if the platform has two; a map of the
 * user's own says which UART is whose. */
#if defined(TRAPEZE_CONSOLE_BASE)
#define CONSOLE_UART_BASE TRAPEZE_CONSOLE_BASE
#elif defined(TRAPEZE_HART) && TRAPEZE_HART == 1 && defined(TRAPEZE_UART1_BASE)
#define CONSOLE_UART_BASE TRAPEZE_UART1_BASE
#else
#define CONSOLE_UART_BASE TRAPEZE_UART_BASE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Sends one byte; waits while the transmitter is full. */
void console_putc(char c);

/** Sends @p length bytes. */
void console_write(const char *bytes, size_t length);

/** Sends a string without its terminating zero; adds nothing. */
void console_puts(const char *text);

/** Sends "0x" and as many hexadecimal digits as a register has: eight, or sixteen with RV64. */
void console_put_hex(unsigned long value);

/** Waits for a byte and returns it, 0 to 255. */
int console_getc(void);

/** Returns a received byte, 0 to 255, or -1 if there is none. */
int console_try_getc(void);

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_CONSOLE_H_ */
