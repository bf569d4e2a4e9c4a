/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Several interrupts together. In each round the background computation runs once, and platform lines rise, one after
 * the other or one inside the other. Rounds begin exactly PERIOD cycles apart, so the runner can raise the lines at
 * another phase in each. The test ends with the first round in which interrupt_service() does not run. Exit code 0:
 * every result was right.
 *
 * lines.c has options for the lines. TRAPEZE_USER, of the build: everything runs in user mode.
 */
#include <trapeze/console.h>
#include <trapeze/csr.h>

#include "background.h"
#include "lines.h"

/* The cycle counter that the mode can read. */
#ifdef TRAPEZE_USER
#define COUNTER CSR_CYCLE
#else
#define COUNTER CSR_MCYCLE
#endif

/* Cycles from one round to the next; more than a round and its handlers take. */
#ifdef INNERMOST
#define PERIOD 1400U
#else
#define PERIOD 1000U
#endif

/**
 * Returns a fixed number of cycles after mcycle has reached @p cycle, which must be at least 80 cycles ahead;
 * wait_until.S.
 */
void wait_until(uint32_t cycle);

int main(void)
{
	lines_setup();

	uint32_t start = csr_read(COUNTER);
	uint32_t before;
	uint32_t wrong = 0U;

	do {
		before = interrupt_count;
		start += PERIOD;
		wait_until(start);
		wrong += background() == BACKGROUND_CHECKSUM ? 0U : 1U;
	} while (interrupt_count != before);

	wrong += lines_wrong();
	console_puts("wrong ");
	console_put_hex(wrong);
	console_puts(" interrupts ");
	console_put_hex(interrupt_count);
	console_putc('\n');
	return wrong == 0U ? 0 : 1;
}
