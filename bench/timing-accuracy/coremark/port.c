/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* CoreMark as a whole program: its main() without a console. The checksum is made of the CRCs that it would print. */
#include <stdarg.h>

#include "core_portme.h"
#include "whole.h"

int coremark_main(void);

/* As CoreMark's rules have them for a run of performance. */
volatile ee_s32 seed1_volatile = 0;
volatile ee_s32 seed2_volatile = 0;
volatile ee_s32 seed3_volatile = 0x66;
volatile ee_s32 seed4_volatile = ITERATIONS;
volatile ee_s32 seed5_volatile = 0;

ee_u32 default_num_contexts = 1;

static uint64_t checksum;

/** Where a text stands in another one, or NULL. */
static const char *find(const char *whole, const char *part)
{
	for (; *whole != '\0'; whole++) {
		const char *at = whole;
		const char *wanted = part;

		while (*wanted != '\0' && *at == *wanted) {
			at++;
			wanted++;
		}
		if (*wanted == '\0') {
			return whole;
		}
	}
	return NULL;
}

int ee_printf(const char *format, ...)
{
	if (find(format, "ERROR") == NULL && find(format, "0x%04x") != NULL) {
		va_list arguments;

		va_start(arguments, format);
		if (format[0] == '[') {
			(void)va_arg(arguments, int); /* the context */
		}
		checksum = (checksum << 16) ^ (checksum >> 48) ^ va_arg(arguments, unsigned int);
		va_end(arguments);
	}
	return 0;
}

/* Nothing here depends on time, which differs between what runs this program. */
void start_time(void);
void stop_time(void);
CORE_TICKS get_time(void);
ee_u32 time_in_secs(CORE_TICKS ticks);

void start_time(void)
{
}

void stop_time(void)
{
}

CORE_TICKS get_time(void)
{
	return 0;
}

ee_u32 time_in_secs(CORE_TICKS ticks)
{
	return (ee_u32)ticks;
}

void portable_init(core_portable *port, int *argc, char *argv[])
{
	(void)argc;
	(void)argv;
	port->portable_id = 1;
}

void portable_fini(core_portable *port)
{
	port->portable_id = 0;
}

void prepare(void)
{
}

uint64_t work(void)
{
	(void)coremark_main();
	return checksum;
}
