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

/* A byte of pmpcfg: up to pmpaddr, from where the row before ends. No row is locked, so none is for machine mode. */
#define ROW_CLOSED 0x08U
#define ROW_OPEN   (ROW_CLOSED | 0x07U) /* to be read, written and executed */

/* The bounds of the monitor's memory (monitor.ld). */
extern const char monitor_rom_start[];
extern const char monitor_rom_end[];
extern const char monitor_ram_start[];
extern const char monitor_ram_end[];

/** mtvec, mscratch, protection and interrupts for when the program runs; no memory has a known value before. */
void monitor_scheme_init(void);

/**
 * Reports what the program did that it may not, and ends the run. @p what: by name, where that is not emulated; else 0.
 * Called by assembly, too.
 */
__attribute__((noreturn)) void monitor_fault(uint32_t mcause, uint32_t mepc, uint32_t mtval,
					     const char *what);

/** Where everything traps, for mtvec; assembly. */
extern const char monitor_trap[];

#endif /* __ASSEMBLER__ */

#endif /* MONITOR_SCHEME_H_ */
