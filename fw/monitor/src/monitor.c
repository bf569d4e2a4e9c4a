/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Monitor, every scheme: what happens once, at the beginning, and what happens last, when the program has
 * done what it may not. Freestanding: nothing of the HAL or of the C library, which are the program's.
 */
#include <stdint.h>

#include <trapeze/clic.h>
#include <trapeze/csr.h>
#include <trapeze/host.h>
#include <trapeze/map.h>
#include <trapeze/uart.h>

#include "scheme.h"

/* The end of a run by a program that did what it may not. */
#define EXIT_REFUSED 134U

/* Called by assembly. */
void monitor_init(void);

__attribute__((section(".bss.monitor_stack"), aligned(16))) char monitor_stack[MONITOR_STACK];

void monitor_init(void)
{
#ifdef TRAPEZE_IRQ_FAST
	csr_write(CSR_MFASTIRQ, 0U);
#endif
	csr_write(CSR_MCOUNTEREN, MCOUNTEREN_CY | MCOUNTEREN_IR);
	monitor_scheme_init();
}

/* ---------------------------------------------------------------- report */

static void put(char c)
{
	volatile uint8_t *uart = (volatile uint8_t *)TRAPEZE_UART_BASE;

	while ((uart[TRAPEZE_UART_LSR_OFFSET] & TRAPEZE_UART_LSR_THRE_MASK) == 0U) {
	}
	uart[TRAPEZE_UART_THR_OFFSET] = (uint8_t)c;
}

static void put_text(const char *text)
{
	while (*text != '\0') {
		put(*text++);
	}
}

static void put_hex(const char *before, uint32_t value)
{
	put_text(before);
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

/* Whose memory an address is, as far as the monitor knows. */
static const char *region_name(uint32_t at)
{
	if (at >= (uint32_t)monitor_rom_start && at < (uint32_t)monitor_rom_end) {
		return "monitor's code";
	}
	if (at >= (uint32_t)monitor_ram_start && at < (uint32_t)monitor_ram_end) {
		return "monitor's data";
	}
	if (at - TRAPEZE_CLIC_BASE < TRAPEZE_CLIC_SIZE) {
		return "monitor's interrupt controller";
	}
	return "program's";
}

void monitor_fault(uint32_t mcause, uint32_t mepc, uint32_t mtval, const char *what)
{
	volatile uint32_t *finisher =
	    (volatile uint32_t *)(TRAPEZE_HOST_BASE + TRAPEZE_HOST_FINISHER_OFFSET);
	uint32_t cause = mcause & MCAUSE_CODE;

	/* The program may have left the UART with the divisor in place of the data. */
	((volatile uint8_t *)TRAPEZE_UART_BASE)[TRAPEZE_UART_LCR_OFFSET] =
	    TRAPEZE_UART_LCR_WLS_MASK;
	put_text("\nmonitor: user mode: ");
	put_text(cause_name(cause));
	put_hex(", mcause 0x", cause);
	put_hex(", pc 0x", mepc);
	put_hex(", mtval 0x", mtval);
	if (cause == MCAUSE_FETCH_FAULT || cause == MCAUSE_LOAD_FAULT ||
	    cause == MCAUSE_STORE_FAULT || cause == MCAUSE_FRAME_STORE_FAULT ||
	    cause == MCAUSE_FRAME_LOAD_FAULT) {
		put_text(", the ");
		put_text(region_name(mtval));
	}
	if (what != 0) {
		put_text(", not emulated: ");
		put_text(what);
	}
	put('\n');
	for (;;) {
		*finisher = (EXIT_REFUSED << TRAPEZE_HOST_FINISHER_CODE_SHIFT) |
			    TRAPEZE_HOST_FINISHER_STATUS_FAIL;
	}
}
