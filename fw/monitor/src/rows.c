/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Monitor, all schemes but `emulate`: the rows of memory protection for the program. */
#include <trapeze/console.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>
#include <trapeze/pmp_rows.h>

#include "rows.h"
#include "scheme.h"
#include "watchdog.h"

/* No row is locked, so no row restricts machine mode. */
#define READ    ((unsigned int)PMPCFG_R)
#define WRITE   ((unsigned int)PMPCFG_W)
#define EXECUTE ((unsigned int)PMPCFG_X)
#define OPEN    (READ | WRITE | EXECUTE)

/* A part that the program does not have becomes a row without an address in it. */
static void add_tight(struct pmp_rows *rows)
{
	pmp_row_block(rows, TRAPEZE_HOST_BASE, TRAPEZE_HOST_SIZE, READ | WRITE);
	pmp_row_block(rows, TRAPEZE_CLINT_BASE, TRAPEZE_CLINT_SIZE, READ | WRITE);
	pmp_row_block(rows, monitor_controller.open_base, monitor_controller.open_size,
		      READ | WRITE);
	pmp_row_block(rows, CONSOLE_UART_BASE, TRAPEZE_UART_SIZE, READ | WRITE);
	pmp_row_block(rows, TRAPEZE_PROBE_BASE, TRAPEZE_PROBE_SIZE, READ | WRITE);
	pmp_row_begin(rows, (uintptr_t)monitor_rom_end);
	pmp_row_up_to(rows, (uintptr_t)program_text_end, READ | EXECUTE);
	/* Hardware fetches from the table of handlers as it fetches instructions, and irq_connect() writes it. */
	pmp_row_up_to(rows, (uintptr_t)program_vectors_end, OPEN);
	pmp_row_begin(rows, (uintptr_t)monitor_ram_end);
	pmp_row_up_to(rows, (uintptr_t)monitor_page_end, READ | WRITE);
	pmp_row_up_to(rows, (uintptr_t)program_constants_end, READ);
	pmp_row_up_to(rows, TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE, READ | WRITE);
	pmp_row_block(rows, TRAPEZE_SMEM_BASE, TRAPEZE_SMEM_SIZE, READ | WRITE);
}

/*
 * The rows of the paper's Table 1, alternately open and closed. The paper has one more pair, for initial values that
 * are copied from ROM; here the loader puts everything in its place.
 */
static void add_paper(struct pmp_rows *rows)
{
	if (monitor_controller.closed_size != 0U) {
		pmp_row_block(rows, monitor_controller.closed_base, monitor_controller.closed_size,
			      0U);
	}
	pmp_row_begin(rows, 0U);
	pmp_row_up_to(rows, (uintptr_t)monitor_rom_start, OPEN);
	pmp_row_up_to(rows, (uintptr_t)monitor_rom_end, 0U);
	pmp_row_up_to(rows, (uintptr_t)monitor_ram_start, OPEN);
	pmp_row_up_to(rows, (uintptr_t)monitor_ram_end, 0U);
	pmp_row_add(rows, UINT32_MAX, PMPCFG_A_TOR | OPEN); /* up to the last word of 34 bits */
}

void monitor_protect(bool watchdog)
{
	struct pmp_rows rows;
	/* Volatile, so that the compiler does not turn the loop into a call of memset(). */
	volatile uint32_t *words = (volatile uint32_t *)&rows;

	for (uint32_t word = 0U; word < sizeof(rows) / sizeof(uint32_t); word++) {
		words[word] = 0U;
	}
	if (watchdog) {
		pmp_row_block(&rows, MONITOR_WATCHDOG_DEVICES, MONITOR_WATCHDOG_DEVICES_SIZE, 0U);
		pmp_row_block(&rows, MONITOR_WATCHDOG_WORD, 4U, 0U);
	}
	if (MONITOR_OPTION(monitor_rows_paper) != 0U) {
		add_paper(&rows);
	} else {
		add_tight(&rows);
	}
	pmp_rows_write(&rows);
}
