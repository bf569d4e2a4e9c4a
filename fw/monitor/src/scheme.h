/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Monitor: what its common part and its schemes have of each other. For C and assembly.
 *
 * A scheme has monitor_scheme_init() and, in assembly, monitor_trap, where mtvec leads; of what a program may
 * not do that goes on to monitor_unknown (start.S), which reports it and ends the run.
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

/* The program's parts, in this order: code behind the monitor's, the table of handlers; the page that it shares with the monitor
 * behind the monitor's data, constants, all other data. Zero under `emulate`, where the monitor does not know them.
 */
extern const char program_text_end[];
extern const char program_vectors_end[];
extern const char monitor_page_end[];
extern const char program_constants_end[];
extern const char program_data_end[]; /* of what has initial values */
extern const char program_data_start[];
extern const char program_vectors_start[];

/*
 * What `trapeze cc` was asked for: symbols whose addresses are the values (monitor.ld has the defaults). The compiler takes an address
 * for something that is not 0, so it does not see that these are.
 *
 * monitor_rows_paper: 1: the paper's layout of memory protection.
 * monitor_watchdog: period in cycles; 0: none until the program asks for one.
 * monitor_restarts: how often the program starts again.
 * monitor_resume: for tests: where the program goes on behind what was refused; 0: it does not.
 * monitor_pristine: address of the program's initial values: table of handlers, then data.
 */
#define MONITOR_OPTION(symbol)                                                                     \
	__extension__({                                                                            \
		uint32_t value_;                                                                   \
		__asm__("lui %0, %%hi(" #symbol ")\n\taddi %0, %0, %%lo(" #symbol ")"              \
			: "=r"(value_));                                                           \
		value_;                                                                            \
	})

/* Of the watchdog: the shortest period in cycles. */
#define MONITOR_WATCHDOG_LEAST 1024U

/** mtvec, mscratch and interrupts, in `emulate` protection too, for when the program runs; no memory has a known value before. */
void monitor_scheme_init(void);

/** How often the program has started again; start.S sets it to 0. */
extern uint32_t monitor_again_count;

/** Where the program was when it was stopped. */
struct monitor_place {
	uint32_t mcause;
	uint32_t mepc;
	uint32_t mtval;
	uint32_t sp;
};

/** Writes a text, or a text and a number, to the console. */
void monitor_put(const char *text);
void monitor_put_hex(const char *before, uint32_t value);

/** Reports in one line what the program did that it may not. @p what: by name, where that is not emulated; else 0. */
void monitor_report(const struct monitor_place *place, const char *what);

/** Ends the run, with exit code 134. */
__attribute__((noreturn)) void monitor_end(void);

/** Where everything traps, for mtvec; assembly. */
extern const char monitor_trap[];

#endif /* __ASSEMBLER__ */

#endif /* MONITOR_SCHEME_H_ */
