/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Doorbells, side of the hart that is rung: registers of the Trapeze SoC. Only word accesses. Other accesses, and offsets without a register, are bus errors. The interrupt is level-triggered: it is high while an enabled doorbell is set, but low for `interval` cycles after a doorbell was cleared. So a storm costs the hart that is rung one interrupt in this time.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_BELLS_H_
#define TRAPEZE_BELLS_H_

/** Doorbells (rw), 32 bits: offset. */
#define TRAPEZE_BELLS_BELLS_OFFSET 0x00
/** Doorbells: value after reset. */
#define TRAPEZE_BELLS_BELLS_RESET 0x0
/** Field (rw): doorbells that are set; write 1 to clear. */
#define TRAPEZE_BELLS_BELLS_BELLS_MASK 0xff
#define TRAPEZE_BELLS_BELLS_BELLS_SHIFT 0

/** Doorbell enable (rw), 32 bits: offset. */
#define TRAPEZE_BELLS_ENABLE_OFFSET 0x04
/** Doorbell enable: value after reset. */
#define TRAPEZE_BELLS_ENABLE_RESET 0x0
/** Field (rw): doorbells that raise the interrupt. */
#define TRAPEZE_BELLS_ENABLE_BELLS_MASK 0xff
#define TRAPEZE_BELLS_ENABLE_BELLS_SHIFT 0

/** Interval (rw), 32 bits: offset. Takes effect at once, also on a time that runs. */
#define TRAPEZE_BELLS_INTERVAL_OFFSET 0x08
/** Interval: value after reset. */
#define TRAPEZE_BELLS_INTERVAL_RESET 0x7d0
/** Field (rw): cycles for which the interrupt is low after a doorbell was cleared. */
#define TRAPEZE_BELLS_INTERVAL_CYCLES_MASK 0xffff
#define TRAPEZE_BELLS_INTERVAL_CYCLES_SHIFT 0

#endif /* TRAPEZE_BELLS_H_ */
