/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* The end of a run: the host port, and where the C library and assertions end. */
#include <stdint.h>
#include <unistd.h>

#include <trapeze/assert.h>
#include <trapeze/console.h>
#include <trapeze/exit.h>
#include <trapeze/hart.h>
#include <trapeze/host.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>
#ifdef TRAPEZE_SUPERVISOR
#include <trapeze/cell.h>
#include <trapeze/sbi_call.h>
#endif

#ifdef TRAPEZE_SUPERVISOR

void trapeze_exit(int code)
{
	uint32_t low = (uint32_t)code & UINT16_MAX;

	/* A code whose lower half is zero must still not look like success. */
	(void)sbi_call(SBI_RESET, 0U, 0U,
		       code == 0 ? 0U : TRAPEZE_CELL_REASON_CODE | (low != 0U ? low : UINT16_MAX));
	for (;;) { /* the call of a firmware that has no such end */
		irq_wait();
	}
}

#else

void trapeze_exit(int code)
{
	volatile uint32_t *finisher =
	    (volatile uint32_t *)((uintptr_t)TRAPEZE_HOST_BASE + TRAPEZE_HOST_FINISHER_OFFSET);
	uint32_t value = TRAPEZE_HOST_FINISHER_STATUS_PASS;

	if (code != 0) {
		uint32_t low = (uint32_t)code & UINT16_MAX;

		/* Codes have 16 bits. A code whose lower half is zero must still not look like success. */
		value = ((low != 0U ? low : UINT16_MAX) << TRAPEZE_HOST_FINISHER_CODE_SHIFT) |
			TRAPEZE_HOST_FINISHER_STATUS_FAIL;
	}
#if TRAPEZE_HARTS > 1
	/* Other harts may go on, so this one must not load the bus. */
	*finisher = value;
	(void)irq_lock();
	for (;;) {
		irq_wait();
	}
#else
	for (;;) {
		*finisher = value;
	}
#endif
}

#endif

void _exit(int code)
{
	trapeze_exit(code);
}

static void put_decimal(unsigned int value)
{
	if (value >= 10U) {
		put_decimal(value / 10U);
	}
	console_putc((char)('0' + (value % 10U)));
}

void __assert_func(const char *file, int line, const char *function, const char *expression)
{
	console_puts("\ntrapeze: assertion failed: ");
	console_puts(expression);
	console_puts(", ");
	console_puts(file);
	console_putc(':');
	put_decimal((unsigned int)line);
	if (function != NULL) {
		console_puts(", ");
		console_puts(function);
	}
	console_putc('\n');
	trapeze_exit(TRAPEZE_EXIT_ASSERTION);
}
