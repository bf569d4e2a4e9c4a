/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Interrupt latency: a background computation runs between markers 2 and 3 while platform
 * interrupts arrive; the handlers place marker 1 and count. The computation's result shows whether
 * an interrupt disturbed it. Ends with code 0 if the result is right.
 *
 * With USER it runs in user mode. Options of the lines: lines.c.
 */
#include <stdint.h>

#include <trapeze/console.h>

#include "background.h"
#include "lines.h"

/** Calls @p function in user mode and returns what it returns; user.c. */
uint32_t user_call(uint32_t (*function)(void));

int main(void)
{
	lines_setup();

#ifdef USER
	uint32_t checksum = user_call(background);
#else
	uint32_t checksum = background();
#endif

	console_puts("checksum ");
	console_put_hex(checksum);
	console_puts(" interrupts ");
	console_put_hex(interrupt_count);
	console_putc('\n');
	return checksum == BACKGROUND_CHECKSUM && lines_wrong() == 0U ? 0 : 1;
}
