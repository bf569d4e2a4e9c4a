/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Interrupt latency: a background computation runs between markers 2 and 3 while platform interrupts arrive. The
 * handlers place marker 1 and count. The computation's result shows whether an interrupt disturbed it. The program ends
 * with code 0 if the result is right. Only otherwise it prints the result: printing takes longer than the computation,
 * and a sweep runs the program as often as there are phases.
 *
 * With USER the computation runs in user mode, with SLEEP it sleeps until a timer wakes it. lines.c has options for the
 * lines.
 */
#include <stdint.h>

#include <trapeze/console.h>

#include "background.h"
#include "lines.h"

/** Calls @p function in user mode and returns its result; user.c. */
uint32_t user_call(uint32_t (*function)(void));

/** Sets the timer that ends the sleep of sleep.S; sleep.c. */
void sleep_setup(void);

int main(void)
{
	lines_setup();
#ifdef SLEEP
	sleep_setup();
#endif

#ifdef USER
	uint32_t checksum = user_call(background);
#else
	uint32_t checksum = background();
#endif

	if (checksum == BACKGROUND_CHECKSUM && lines_wrong() == 0U) {
		return 0;
	}
	console_puts("checksum ");
	console_put_hex(checksum);
	console_puts(" interrupts ");
	console_put_hex(interrupt_count);
	console_putc('\n');
	return 1;
}
