/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Monitor, all schemes but `emulate`: the rows of memory protection for the program. */
#include <trapeze/console.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>

#include "rows.h"
#include "scheme.h"
#include "watchdog.h"

/* Bits of a byte of pmpcfg. No row is locked, so no row restricts machine mode. */
#define READ    0x01U
#define WRITE   0x02U
#define EXECUTE 0x04U
#define OFF     0x00U
#define TOR     0x08U
#define NA4     0x10U
#define NAPOT   0x18U
#define OPEN    (READ | WRITE | EXECUTE)

#define ROWS 16U

struct rows {
	uint32_t address[ROWS];
	uint32_t config[ROWS / 4U];
	uint32_t used;
};

static void add(struct rows *rows, uint32_t address, uint32_t config)
{
	rows->address[rows->used] = address;
	rows->config[rows->used / 4U] |= config << 8U * (rows->used % 4U);
	rows->used++;
}

/* A region whose size is a power of two that divides its address. */
static void add_block(struct rows *rows, uint32_t base, uint32_t size, uint32_t access)
{
	add(rows, size == 4U ? base >> 2 : (base >> 2) | ((size >> 3) - 1U),
	    (size == 4U ? NA4 : NAPOT) | access);
}

/* The next row, by add_up_to(), begins at this address. */
static void add_begin(struct rows *rows, uint32_t at)
{
	add(rows, at >> 2, OFF);
}

static void add_up_to(struct rows *rows, const char *end, uint32_t access)
{
	add(rows, (uint32_t)end >> 2, TOR | access);
}

/* A part that the program does not have becomes a row without an address in it. */
static void add_tight(struct rows *rows)
{
	add_block(rows, TRAPEZE_HOST_BASE, TRAPEZE_HOST_SIZE, READ | WRITE);
	add_block(rows, TRAPEZE_CLINT_BASE, TRAPEZE_CLINT_SIZE, READ | WRITE);
	add_block(rows, monitor_controller.open_base, monitor_controller.open_size, READ | WRITE);
	add_block(rows, CONSOLE_UART_BASE, TRAPEZE_UART_SIZE, READ | WRITE);
	add_block(rows, TRAPEZE_PROBE_BASE, TRAPEZE_PROBE_SIZE, READ | WRITE);
	add_begin(rows, (uint32_t)monitor_rom_end);
	add_up_to(rows, program_text_end, READ | EXECUTE);
	/* Hardware fetches from the table of handlers as it fetches instructions, and irq_connect() writes it. */
	add_up_to(rows, program_vectors_end, OPEN);
	add_begin(rows, (uint32_t)monitor_ram_end);
	add_up_to(rows, monitor_page_end, READ | WRITE);
	add_up_to(rows, program_constants_end, READ);
	add(rows, (TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE) >> 2, TOR | READ | WRITE);
	add_block(rows, TRAPEZE_SMEM_BASE, TRAPEZE_SMEM_SIZE, READ | WRITE);
}

/*
 * The rows of the paper's Table 1, alternately open and closed. The paper has one more pair, for initial values that
 * are copied from ROM; here the loader puts everything in its place.
 */
static void add_paper(struct rows *rows)
{
	if (monitor_controller.closed_size != 0U) {
		add_block(rows, monitor_controller.closed_base, monitor_controller.closed_size, 0U);
	}
	add_begin(rows, 0U);
	add_up_to(rows, monitor_rom_start, OPEN);
	add_up_to(rows, monitor_rom_end, 0U);
	add_up_to(rows, monitor_ram_start, OPEN);
	add_up_to(rows, monitor_ram_end, 0U);
	add(rows, UINT32_MAX, TOR | OPEN);
}

/* The number of a CSR is part of the instruction, so each CSR needs an instruction of its own. */
#define FOR_EACH_ROW(DO)                                                                           \
	DO(0)                                                                                      \
	DO(1)                                                                                      \
	DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
#define FOR_EACH_WORD(DO) DO(0) DO(1) DO(2) DO(3)

#define WRITE_ADDRESS(n) csr_write(CSR_PMPADDR0 + n, rows.address[n]);
#define WRITE_CONFIG(n)  csr_write(CSR_PMPCFG0 + n, rows.config[n]);

void monitor_protect(bool watchdog)
{
	struct rows rows;
	/* Volatile, so that the compiler does not turn the loop into a call of memset(). */
	volatile uint32_t *words = (volatile uint32_t *)&rows;

	for (uint32_t word = 0U; word < sizeof(rows) / sizeof(uint32_t); word++) {
		words[word] = 0U;
	}
	if (watchdog) {
		add_block(&rows, MONITOR_WATCHDOG_DEVICES, MONITOR_WATCHDOG_DEVICES_SIZE, 0U);
		add_block(&rows, MONITOR_WATCHDOG_WORD, 4U, 0U);
	}
	if (MONITOR_OPTION(monitor_rows_paper) != 0U) {
		add_paper(&rows);
	} else {
		add_tight(&rows);
	}
	FOR_EACH_ROW(WRITE_ADDRESS)
	FOR_EACH_WORD(WRITE_CONFIG)
}
