/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Memory map of the Trapeze SoC.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_MAP_H_
#define TRAPEZE_MAP_H_

/** Host port: first address. Offsets without a register read as zero and ignore writes. */
#define TRAPEZE_HOST_BASE 0x00100000
/** Host port: size in bytes. */
#define TRAPEZE_HOST_SIZE 0x1000

/** CLINT: first address. Software interrupt and timer of hart 0. Offsets without a register read as zero and ignore writes. */
#define TRAPEZE_CLINT_BASE 0x02000000
/** CLINT: size in bytes. */
#define TRAPEZE_CLINT_SIZE 0x10000

/** CLIC: first address. Absent in CLINT configurations. Absent registers and sources read as zero and ignore writes. */
#define TRAPEZE_CLIC_BASE 0x02800000
/** CLIC: size in bytes. */
#define TRAPEZE_CLIC_SIZE 0x8000

/** UART: first address. 16550-compatible console; byte registers, byte accesses. LCR.DLAB puts DLL, DLM at 0, 1. */
#define TRAPEZE_UART_BASE 0x10000000
/** UART: size in bytes. */
#define TRAPEZE_UART_SIZE 0x100

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

#endif /* TRAPEZE_MAP_H_ */
