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

/** UART: first address. 16550-compatible console: byte registers, byte accesses. While LCR.DLAB is 1, DLL and DLM are at offsets 0 and 1. */
#define TRAPEZE_UART_BASE 0x10000000
/** UART: size in bytes. */
#define TRAPEZE_UART_SIZE 0x100

/** Main memory: first address. Main memory of an application hart; the reset vector is its first word. */
#define TRAPEZE_DRAM_BASE 0x80000000
/** Main memory: size in bytes. */
#define TRAPEZE_DRAM_SIZE 0x4000000

#endif /* TRAPEZE_MAP_APP_H_ */
