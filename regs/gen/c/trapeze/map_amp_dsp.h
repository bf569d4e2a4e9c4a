/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Memory map `amp_dsp`: application hart and job hart.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_MAP_AMP_DSP_H_
#define TRAPEZE_MAP_AMP_DSP_H_

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

/** UART of hart 1: first address. Like `uart`. What hart 1 writes here reaches the run's console line by line. */
#define TRAPEZE_UART1_BASE 0x10001000
/** UART of hart 1: size in bytes. */
#define TRAPEZE_UART1_SIZE 0x100

/** Doorbells, side of the hart that is rung: first address. Only word accesses. Other accesses, and offsets without a register, are bus errors. The interrupt is level-triggered: it is high while an enabled doorbell is set, but low for `interval` cycles after a doorbell was cleared. So a storm costs the hart that is rung one interrupt in this time. */
#define TRAPEZE_BELLS_BASE 0x10027000
/** Doorbells, side of the hart that is rung: size in bytes. */
#define TRAPEZE_BELLS_SIZE 0x1000
/** Doorbells, side of the hart that is rung: platform line of its interrupt. */
#define TRAPEZE_BELLS_LINE 11

/** Doorbells, pages of those who ring: first address. Page n has one register, which sets doorbell n. Only word accesses. Other accesses, and offsets without a register, are bus errors. */
#define TRAPEZE_BELL_PAGES_BASE 0x10028000
/** Doorbells, pages of those who ring: size in bytes. */
#define TRAPEZE_BELL_PAGES_SIZE 0x8000

/** Main memory: first address. Main memory of an application hart; the reset vector is its first word. */
#define TRAPEZE_DRAM_BASE 0x80000000
/** Main memory: size in bytes. */
#define TRAPEZE_DRAM_SIZE 0x4000000

/** Instructions: first address. Code of the real-time hart; its reset vector is the first word. */
#define TRAPEZE_IMEM_BASE 0x84000000
/** Instructions: size in bytes. */
#define TRAPEZE_IMEM_SIZE 0x100000

/** Stacks: first address. The real-time hart's stack; the initial stack pointer is its end. */
#define TRAPEZE_SMEM_BASE 0x84200000
/** Stacks: size in bytes. */
#define TRAPEZE_SMEM_SIZE 0x100000

/** Ring: first address. Queues between the harts (docs/remote-jobs.md), coherent. */
#define TRAPEZE_RING_BASE 0x84300000
/** Ring: size in bytes. */
#define TRAPEZE_RING_SIZE 0x10000

/** Data: first address. The real-time hart's constants, data, heap. */
#define TRAPEZE_DMEM_BASE 0x84400000
/** Data: size in bytes. */
#define TRAPEZE_DMEM_SIZE 0x400000

#endif /* TRAPEZE_MAP_AMP_DSP_H_ */
