/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Memory map `mcu`: one hart.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_MAP_MCU_H_
#define TRAPEZE_MAP_MCU_H_

/** Host port: first address. Offsets without a register read as zero and ignore writes. */
#define TRAPEZE_HOST_BASE 0x00100000
/** Host port: size in bytes. */
#define TRAPEZE_HOST_SIZE 0x1000

/** CLINT: first address. Software interrupts and timers. Registers of absent harts, and offsets without a register, read as zero and ignore writes. */
#define TRAPEZE_CLINT_BASE 0x02000000
/** CLINT: size in bytes. */
#define TRAPEZE_CLINT_SIZE 0x10000

/** CLIC: first address. Absent in CLINT configurations. Absent registers and sources read as zero and ignore writes. */
#define TRAPEZE_CLIC_BASE 0x02800000
/** CLIC: size in bytes. */
#define TRAPEZE_CLIC_SIZE 0x8000

/** CLIC of user mode: first address. Sources of user mode; all others read as zero and ignore writes. Exists only with user-level interrupts. */
#define TRAPEZE_CLIC_USER_BASE 0x02808000
/** CLIC of user mode: size in bytes. */
#define TRAPEZE_CLIC_USER_SIZE 0x8000

/** UART: first address. 16550-compatible console: byte registers, byte accesses. While LCR.DLAB is 1, DLL and DLM are at offsets 0 and 1. */
#define TRAPEZE_UART_BASE 0x10000000
/** UART: size in bytes. */
#define TRAPEZE_UART_SIZE 0x100

/** Latency measurement: first address. Two latency probes, and the devices that they are used with. Only word accesses. Other accesses, and offsets without a block, are bus errors. */
#define TRAPEZE_PROBE_BASE 0x10010000
/** Latency measurement: size in bytes. */
#define TRAPEZE_PROBE_SIZE 0x8000

/** Latency samples: first address. */
#define TRAPEZE_PROBE_SAMPLES0_BASE 0x10010000
/** Latency samples: size in bytes. */
#define TRAPEZE_PROBE_SAMPLES0_SIZE 0x800

/** Latency probe: first address. */
#define TRAPEZE_PROBE_REGS0_BASE 0x10011000
/** Latency probe: size in bytes. */
#define TRAPEZE_PROBE_REGS0_SIZE 0x1000

/** Latency samples: first address. */
#define TRAPEZE_PROBE_SAMPLES1_BASE 0x10012000
/** Latency samples: size in bytes. */
#define TRAPEZE_PROBE_SAMPLES1_SIZE 0x800

/** Latency probe: first address. */
#define TRAPEZE_PROBE_REGS1_BASE 0x10013000
/** Latency probe: size in bytes. */
#define TRAPEZE_PROBE_REGS1_SIZE 0x1000

/** Random data generator: first address. */
#define TRAPEZE_PROBE_RANDOM_BASE 0x10014000
/** Random data generator: size in bytes. */
#define TRAPEZE_PROBE_RANDOM_SIZE 0x1000

/** Triple timer: first address. */
#define TRAPEZE_PROBE_TIMER_BASE 0x10015000
/** Triple timer: size in bytes. */
#define TRAPEZE_PROBE_TIMER_SIZE 0x1000

/** Stress generator: first address. */
#define TRAPEZE_PROBE_STRESS_BASE 0x10016000
/** Stress generator: size in bytes. */
#define TRAPEZE_PROBE_STRESS_SIZE 0x1000

/** Instruction bank: first address. Vectors, code; the reset vector is its first word. */
#define TRAPEZE_IMEM_BASE 0x80000000
/** Instruction bank: size in bytes. */
#define TRAPEZE_IMEM_SIZE 0x80000

/** Data bank: first address. Constants, data, heap. */
#define TRAPEZE_DMEM_BASE 0x80100000
/** Data bank: size in bytes. */
#define TRAPEZE_DMEM_SIZE 0x80000

/** Stack bank: first address. Stack; the initial stack pointer is its end. */
#define TRAPEZE_SMEM_BASE 0x80200000
/** Stack bank: size in bytes. */
#define TRAPEZE_SMEM_SIZE 0x10000

#endif /* TRAPEZE_MAP_MCU_H_ */
