/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Memory map `app`: application hart.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_MAP_APP_H_
#define TRAPEZE_MAP_APP_H_

/** Host port: first address. Offsets without a register read as zero and ignore writes. */
#define TRAPEZE_HOST_BASE 0x00100000
/** Host port: size in bytes. */
#define TRAPEZE_HOST_SIZE 0x1000

/** CLINT: first address. Software interrupts and timers. Registers of absent harts, and offsets without a register, read as zero and ignore writes. */
#define TRAPEZE_CLINT_BASE 0x02000000
/** CLINT: size in bytes. */
#define TRAPEZE_CLINT_SIZE 0x10000

/** PLIC: first address. For the harts with supervisor mode; no other hart sees it. Each has two contexts: the first hart has context 0 for machine mode and 1 for supervisor mode, the second has 2 and 3. Word accesses; offsets without a register read as zero and ignore writes. */
#define TRAPEZE_PLIC_BASE 0x0c000000
/** PLIC: size in bytes. */
#define TRAPEZE_PLIC_SIZE 0x4000000

/** UART: first address. 16550-compatible console: byte registers, byte accesses. While LCR.DLAB is 1, DLL and DLM are at offsets 0 and 1. */
#define TRAPEZE_UART_BASE 0x10000000
/** UART: size in bytes. */
#define TRAPEZE_UART_SIZE 0x100

/** Latency measurement of application harts: first address. Two latency probes, and the devices that they are used with. Only word accesses. Other accesses, and offsets without a block, are bus errors. */
#define TRAPEZE_APP_PROBE_BASE 0x10018000
/** Latency measurement of application harts: size in bytes. */
#define TRAPEZE_APP_PROBE_SIZE 0x8000
/** Latency measurement of application harts: source of the PLIC. */
#define TRAPEZE_APP_PROBE_PLIC_SOURCE 13

/** Latency samples: first address. */
#define TRAPEZE_APP_PROBE_SAMPLES0_BASE 0x10018000
/** Latency samples: size in bytes. */
#define TRAPEZE_APP_PROBE_SAMPLES0_SIZE 0x800

/** Latency probe: first address. */
#define TRAPEZE_APP_PROBE_REGS0_BASE 0x10019000
/** Latency probe: size in bytes. */
#define TRAPEZE_APP_PROBE_REGS0_SIZE 0x1000

/** Latency samples: first address. */
#define TRAPEZE_APP_PROBE_SAMPLES1_BASE 0x1001a000
/** Latency samples: size in bytes. */
#define TRAPEZE_APP_PROBE_SAMPLES1_SIZE 0x800

/** Latency probe: first address. */
#define TRAPEZE_APP_PROBE_REGS1_BASE 0x1001b000
/** Latency probe: size in bytes. */
#define TRAPEZE_APP_PROBE_REGS1_SIZE 0x1000

/** Random data generator: first address. */
#define TRAPEZE_APP_PROBE_RANDOM_BASE 0x1001c000
/** Random data generator: size in bytes. */
#define TRAPEZE_APP_PROBE_RANDOM_SIZE 0x1000

/** Triple timer: first address. */
#define TRAPEZE_APP_PROBE_TIMER_BASE 0x1001d000
/** Triple timer: size in bytes. */
#define TRAPEZE_APP_PROBE_TIMER_SIZE 0x1000

/** Stress generator: first address. */
#define TRAPEZE_APP_PROBE_STRESS_BASE 0x1001e000
/** Stress generator: size in bytes. */
#define TRAPEZE_APP_PROBE_STRESS_SIZE 0x1000

/** Main memory: first address. Main memory of an application hart; the reset vector is its first word. */
#define TRAPEZE_DRAM_BASE 0x80000000
/** Main memory: size in bytes. */
#define TRAPEZE_DRAM_SIZE 0x4000000

#endif /* TRAPEZE_MAP_APP_H_ */
