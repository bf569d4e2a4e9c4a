/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Monitor, scheme `paper`: what happens once, at the beginning, and what happens last, when the
 * program has done what it may not. Freestanding: nothing of the HAL or of the C library, which are the
 * program's.
 */
#include <stdint.h>

#include <trapeze/host.h>
#include <trapeze/map.h>
#include <trapeze/monitor.h>
#include <trapeze/uart.h>

#include "state.h"

/* A byte of pmpcfg. */
#define ROW_TOR  0x08U
#define ROW_OPEN (ROW_TOR | 0x07U) /* to be read, written and executed */

/* The end of a run by a program that did what it may not. */
#define EXIT_REFUSED 134U

/* The bounds of the monitor's memory (monitor.ld). */
extern const char monitor_rom_start[];
extern const char monitor_rom_end[];
extern const char monitor_ram_start[];
extern const char monitor_ram_end[];

/* entry.S */
extern char monitor_stack[MONITOR_STACK];
extern struct monitor_state monitor_state;
void monitor_init(void);
__attribute__((noreturn)) void monitor_fault(uint32_t mcause, uint32_t mepc, uint32_t mtval);

__attribute__((section(".bss.monitor_stack"), aligned(16))) char monitor_stack[MONITOR_STACK];
__attribute__((section(".bss.monitor_state"))) struct monitor_state monitor_state;

/* The program's memory, at a place that the linker script gives it. */
__attribute__((section(".monitor_page"))) struct monitor_page monitor_page;

/*
 * The rows of the paper's Table 1: each begins where the one before ends, open ones and closed ones in
 * turns. The paper has one more pair, for initial values that are copied from ROM; here the loader puts
 * everything where it belongs. No row is locked, so that none is for machine mode.
 */
static void protect(void)
{
	csr_write(CSR_PMPADDR0, (uint32_t)monitor_rom_start >> 2);
	csr_write(CSR_PMPADDR0 + 1, (uint32_t)monitor_rom_end >> 2);
	csr_write(CSR_PMPADDR0 + 2, (uint32_t)monitor_ram_start >> 2);
	csr_write(CSR_PMPADDR0 + 3, (uint32_t)monitor_ram_end >> 2);
	csr_write(CSR_PMPADDR0 + 4, UINT32_MAX);
	csr_write(CSR_PMPCFG0, ROW_OPEN | ROW_TOR << 8 | ROW_OPEN << 16 | ROW_TOR << 24);
	csr_write(CSR_PMPCFG0 + 1, ROW_OPEN);
}

void monitor_init(void)
{
	/* No memory has a known value after reset. Volatile: the compiler makes no call to memset() of it. */
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
#ifdef TRAPEZE_IRQ_FAST
	csr_write(CSR_MFASTIRQ, 0U);
#endif
	csr_write(CSR_MCOUNTEREN, MCOUNTEREN_CY | MCOUNTEREN_IR);
	protect();
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
	return "program's";
}

void monitor_fault(uint32_t mcause, uint32_t mepc, uint32_t mtval)
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
	    cause == MCAUSE_STORE_FAULT) {
		put_text(", the ");
		put_text(region_name(mtval));
	}
	put('\n');
	for (;;) {
		*finisher = (EXIT_REFUSED << TRAPEZE_HOST_FINISHER_CODE_SHIFT) |
			    TRAPEZE_HOST_FINISHER_STATUS_FAIL;
	}
}
