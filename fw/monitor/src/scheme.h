/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Monitor: the interface between its common part and a scheme. For C and assembly.
 *
 * A scheme defines monitor_scheme_init() and, in assembly, monitor_trap, the address in mtvec. From there all that a
 * program may not do goes on to monitor_unknown (serve.S), which reports it and ends the run.
 */
#ifndef MONITOR_SCHEME_H_
#define MONITOR_SCHEME_H_

/* Bytes of the monitor's stack: start-up and the report of a fault. */
#define MONITOR_STACK 512

#ifndef __ASSEMBLER__

#include <stdint.h>

/* The bounds of the monitor's memory (monitor.ld). */
extern const char monitor_rom_start[];
extern const char monitor_rom_end[];
extern const char monitor_ram_start[];
extern const char monitor_ram_end[];

/* Bounds of the program's parts, in the order of memory. Behind the monitor's code: the program's code, the table of
 * handlers. Behind the monitor's data: the page that program and monitor share, constants, all other data. Zero under
 * `emulate`, where the monitor does not know them.
 */
extern const char program_text_end[];
extern const char program_vectors_end[];
extern const char monitor_page_end[];
extern const char program_constants_end[];
extern const char program_data_end[]; /* of the data with initial values */
extern const char program_data_start[];
extern const char program_vectors_start[];

/*
 * Options of `trapeze cc`. They are symbols whose addresses are the values (monitor.ld has the defaults). The macro
 * reads a symbol in assembly, because the compiler assumes that no address is 0.
 *
 * monitor_rows_paper: 1: the paper's layout of memory protection.
 *
 * monitor_watchdog: period in cycles; 0: none until the program asks for one.
 *
 * monitor_restarts: how often the program is started again.
 *
 * monitor_resume: for tests: where the program goes on after a refused attempt; 0: the run ends.
 *
 * monitor_pristine: address of the program's initial values: table of handlers, then data.
 */
#define MONITOR_OPTION(symbol)                                                                     \
	__extension__({                                                                            \
		uint32_t value_;                                                                   \
		__asm__("lui %0, %%hi(" #symbol ")\n\taddi %0, %0, %%lo(" #symbol ")"              \
			: "=r"(value_));                                                           \
		value_;                                                                            \
	})

/* Shortest period of the watchdog, in cycles. */
#define MONITOR_WATCHDOG_LEAST 1024U

/**
 * Prepares mtvec, mscratch and interrupts for the program, in `emulate` protection, too. Memory has no known value
 * before.
 */
void monitor_scheme_init(void);

/** How often the program has been started again; start.S sets it to 0. */
extern uint32_t monitor_again_count;

/** Where the program was when a trap stopped it, and why. */
struct monitor_place {
	uint32_t mcause;
	uint32_t mepc;
	uint32_t mtval;
	uint32_t sp;
};

/** Writes a text, or a text and a number, to the console. */
void monitor_put(const char *text);
void monitor_put_hex(const char *before, uint32_t value);

/** Writes a word of a device. */
static inline void monitor_store(uint32_t at, uint32_t value)
{
	*(volatile uint32_t *)at = value;
}

/** Sets the UART back to a state in which what is written comes out, whatever the program has made of it. */
void monitor_reset_uart(void);

/** Sets the UART's registers back to their values after reset. */
void monitor_restore_uart(void);

/** Reports in one line what the program did although it may not. @p what: name of what is not emulated, or 0. */
void monitor_report(const struct monitor_place *place, const char *what);

/** Ends the run, with exit code 134. */
__attribute__((noreturn)) void monitor_end(void);

/** Entry of all traps, for mtvec; in assembly. */
extern const char monitor_trap[];

#endif /* __ASSEMBLER__ */

#endif /* MONITOR_SCHEME_H_ */
