/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Monitor, schemes `paper` and `soft`: the state that their calls and interrupts work with, and their protection. */
#include <stdint.h>

#include <trapeze/monitor.h>

#include "scheme.h"
#include "state.h"

extern const char monitor_table[]; /* table.S */
extern struct monitor_state monitor_state;

__attribute__((section(".bss.monitor_state"))) struct monitor_state monitor_state;

/* The program's memory, at a place that the linker script gives it. */
__attribute__((section(".monitor_page"))) struct monitor_page monitor_page;

/*
 * The rows of the paper's Table 1: open ones and closed ones in turns. The paper has one more pair, for
 * initial values that are copied from ROM; here the loader puts everything where it belongs.
 */
static void protect(void)
{
	csr_write(CSR_PMPADDR0, (uint32_t)monitor_rom_start >> 2);
	csr_write(CSR_PMPADDR0 + 1, (uint32_t)monitor_rom_end >> 2);
	csr_write(CSR_PMPADDR0 + 2, (uint32_t)monitor_ram_start >> 2);
	csr_write(CSR_PMPADDR0 + 3, (uint32_t)monitor_ram_end >> 2);
	csr_write(CSR_PMPADDR0 + 4, UINT32_MAX);
	csr_write(CSR_PMPCFG0, ROW_OPEN | ROW_CLOSED << 8 | ROW_OPEN << 16 | ROW_CLOSED << 24);
	csr_write(CSR_PMPCFG0 + 1, ROW_OPEN);
}

void monitor_scheme_init(void)
{
	/* Volatile: the compiler makes no call to memset() of it. */
	volatile uint32_t *words = (volatile uint32_t *)&monitor_page;

	for (uint32_t word = 0U; word < sizeof(monitor_page) / sizeof(uint32_t); word++) {
		words[word] = 0U;
	}
	words = (volatile uint32_t *)&monitor_state;
	for (uint32_t word = 0U; word < sizeof(monitor_state) / sizeof(uint32_t); word++) {
		words[word] = 0U;
	}
	monitor_state.masked = (uint32_t)&monitor_state;
	monitor_page.mhartid = csr_read(CSR_MHARTID);
	csr_write(CSR_MTVEC, (uint32_t)monitor_trap | MTVEC_MODE_CLIC);
	csr_write(CSR_MTVT, (uint32_t)monitor_table);
	csr_write(CSR_MSCRATCH, (uint32_t)&monitor_state);
	protect();
}
