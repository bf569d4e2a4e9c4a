/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Monitor, every scheme: the report of a forbidden access or of a program that is late, and the end of the run. */
#include <stdbool.h>
#include <stdint.h>

#include <trapeze/clic.h>
#include <trapeze/console.h>
#include <trapeze/csr.h>
#include <trapeze/host.h>
#include <trapeze/map.h>
#include <trapeze/uart.h>

#include "scheme.h"

/* Exit code of a run that the monitor ends. */
#define EXIT_REFUSED 134U

static void put(char c)
{
	volatile uint8_t *uart = (volatile uint8_t *)CONSOLE_UART_BASE;

	while ((uart[TRAPEZE_UART_LSR_OFFSET] & TRAPEZE_UART_LSR_THRE_MASK) == 0U) {
	}
	uart[TRAPEZE_UART_THR_OFFSET] = (uint8_t)c;
}

void monitor_put(const char *text)
{
	while (*text != '\0') {
		put(*text++);
	}
}

void monitor_put_hex(const char *before, uint32_t value)
{
	monitor_put(before);
	for (uint32_t digit = 0U; digit < 8U; digit++) {
		put("0123456789abcdef"[value >> 28]);
		value <<= 4;
	}
}

static const char *cause_name(uint32_t cause)
{
	switch (cause) {
	case MCAUSE_FETCH_MISALIGNED:
		return "misaligned fetch";
	case MCAUSE_FETCH_FAULT:
		return "fetch access fault";
	case MCAUSE_ILLEGAL_INSTRUCTION:
		return "illegal instruction";
	case MCAUSE_BREAKPOINT:
		return "breakpoint";
	case MCAUSE_LOAD_MISALIGNED:
		return "misaligned load";
	case MCAUSE_LOAD_FAULT:
		return "load access fault";
	case MCAUSE_STORE_MISALIGNED:
		return "misaligned store";
	case MCAUSE_STORE_FAULT:
		return "store access fault";
	case MCAUSE_ECALL_U:
		return "call that the monitor does not have";
	case MCAUSE_FRAME_STORE_FAULT:
		return "interrupt frame store fault";
	case MCAUSE_FRAME_LOAD_FAULT:
		return "interrupt frame load fault";
	default:
		return "unknown exception";
	}
}

/* A part of memory or a device: from `begin` up to `end`, which is outside. */
struct region {
	uint32_t begin;
	uint32_t end;
	const char *name;
};

/* Name of the first region that contains an address. */
static const char *region_name(uint32_t at)
{
	static const struct region regions[] = {
	    {(uint32_t)monitor_rom_start, (uint32_t)monitor_rom_end, "the monitor's code"},
	    {(uint32_t)monitor_ram_start, (uint32_t)monitor_ram_end, "the monitor's data"},
	    {(uint32_t)monitor_rom_end, (uint32_t)program_text_end, "the program's code"},
	    {(uint32_t)program_text_end, (uint32_t)program_vectors_end, "the table of handlers"},
	    {(uint32_t)monitor_ram_end, (uint32_t)monitor_page_end,
	     "the page of program and monitor"},
	    {(uint32_t)monitor_page_end, (uint32_t)program_constants_end, "the constants"},
	    {TRAPEZE_DMEM_BASE, TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE, "the data"},
	    {TRAPEZE_SMEM_BASE, TRAPEZE_SMEM_BASE + TRAPEZE_SMEM_SIZE, "the stack"},
	    {TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_BASE + TRAPEZE_IMEM_SIZE,
	     "no part of imem that is used"},
	    {TRAPEZE_HOST_BASE, TRAPEZE_HOST_BASE + TRAPEZE_HOST_SIZE, "the host port"},
	    {TRAPEZE_CLINT_BASE, TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_SIZE, "the CLINT"},
	    {TRAPEZE_CLIC_BASE, TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_SIZE,
	     "the monitor's interrupt controller"},
	    {TRAPEZE_CLIC_USER_BASE, TRAPEZE_CLIC_USER_BASE + TRAPEZE_CLIC_USER_SIZE,
	     "the interrupt controller"},
	    {CONSOLE_UART_BASE, CONSOLE_UART_BASE + TRAPEZE_UART_SIZE, "the UART"},
	    {TRAPEZE_PROBE_BASE, TRAPEZE_PROBE_BASE + TRAPEZE_PROBE_SIZE,
	     "the latency measurement"},
	};

	for (uint32_t i = 0U; i < sizeof(regions) / sizeof(regions[0]); i++) {
		if (at - regions[i].begin < regions[i].end - regions[i].begin &&
		    regions[i].end > regions[i].begin) {
			return regions[i].name;
		}
	}
	return "nothing that the program has";
}

/* Whether the exception is one that a program which copies or changes code would cause. */
static bool is_copied_code(uint32_t cause, uint32_t at)
{
	bool in_data = at - TRAPEZE_DMEM_BASE < TRAPEZE_DMEM_SIZE ||
		       at - TRAPEZE_SMEM_BASE < TRAPEZE_SMEM_SIZE;
	bool in_code = at - TRAPEZE_IMEM_BASE < TRAPEZE_IMEM_SIZE;
	bool monitors = at - (uint32_t)monitor_rom_start <
			    (uint32_t)monitor_rom_end - (uint32_t)monitor_rom_start ||
			at - (uint32_t)monitor_ram_start <
			    (uint32_t)monitor_ram_end - (uint32_t)monitor_ram_start;

	return !monitors && ((cause == MCAUSE_FETCH_FAULT && in_data) ||
			     (cause == MCAUSE_STORE_FAULT && in_code));
}

void monitor_reset_uart(void)
{
	volatile uint8_t *uart = (volatile uint8_t *)CONSOLE_UART_BASE;

	/* LCR first: with its DLAB bit set, IER's address is that of the divisor. */
	uart[TRAPEZE_UART_LCR_OFFSET] = TRAPEZE_UART_LCR_WLS_MASK;
	uart[TRAPEZE_UART_MCR_OFFSET] = 0U;
	uart[TRAPEZE_UART_IER_OFFSET] = 0U;
}

void monitor_restore_uart(void)
{
	volatile uint8_t *uart = (volatile uint8_t *)CONSOLE_UART_BASE;

	monitor_reset_uart();
	uart[TRAPEZE_UART_SCR_OFFSET] = TRAPEZE_UART_SCR_RESET;
	uart[TRAPEZE_UART_LCR_OFFSET] = TRAPEZE_UART_LCR_DLAB_MASK;
	uart[TRAPEZE_UART_DLL_OFFSET] = TRAPEZE_UART_DLL_RESET;
	uart[TRAPEZE_UART_DLM_OFFSET] = TRAPEZE_UART_DLM_RESET;
	uart[TRAPEZE_UART_LCR_OFFSET] = TRAPEZE_UART_LCR_RESET;
}

void monitor_report(const struct monitor_place *place, const char *what)
{
	uint32_t cause = place->mcause & MCAUSE_CODE;
	bool expired = (place->mcause & (uint32_t)MCAUSE_INTERRUPT) != 0U;

	monitor_reset_uart();
	if (expired) {
		monitor_put_hex("\nmonitor: watchdog: user mode at pc 0x", place->mepc);
	} else {
		monitor_put("\nmonitor: user mode: ");
		monitor_put(cause_name(cause));
		monitor_put_hex(", mcause 0x", cause);
		monitor_put_hex(", pc 0x", place->mepc);
		monitor_put_hex(", mtval 0x", place->mtval);
	}
	if (!expired && (cause == MCAUSE_FETCH_FAULT || cause == MCAUSE_LOAD_FAULT ||
			 cause == MCAUSE_STORE_FAULT || cause == MCAUSE_FRAME_STORE_FAULT ||
			 cause == MCAUSE_FRAME_LOAD_FAULT)) {
		monitor_put(", ");
		monitor_put(region_name(place->mtval));
	}
	if (what != 0) {
		monitor_put(", not emulated: ");
		monitor_put(what);
	}
	monitor_put_hex(", sp 0x", place->sp);
	monitor_put(", ");
	monitor_put(region_name(place->sp));
	monitor_put("\n");
	if (!expired && MONITOR_OPTION(monitor_rows_paper) == 0U &&
	    is_copied_code(cause, place->mtval)) {
		monitor_put("monitor: a program that copies or changes code takes cc "
			    "--monitor-rows paper\n");
	}
}

void monitor_end(void)
{
	volatile uint32_t *finisher =
	    (volatile uint32_t *)(TRAPEZE_HOST_BASE + TRAPEZE_HOST_FINISHER_OFFSET);

	for (;;) {
		*finisher = (EXIT_REFUSED << TRAPEZE_HOST_FINISHER_CODE_SHIFT) |
			    TRAPEZE_HOST_FINISHER_STATUS_FAIL;
	}
}
