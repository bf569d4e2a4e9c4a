/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Doorbells, pages of those who ring: registers of the Trapeze SoC. Page n has one register, which sets doorbell n. Only word accesses. Other accesses, and offsets without a register, are bus errors.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_BELL_PAGES_H_
#define TRAPEZE_BELL_PAGES_H_

/** Ring (w), 32 bits: offset. Reads as zero. */
#define TRAPEZE_BELL_PAGES_RING_OFFSET 0x00
/** Ring: how many there can be. */
#define TRAPEZE_BELL_PAGES_RING_COUNT 8
/** Ring: bytes from each to the next. */
#define TRAPEZE_BELL_PAGES_RING_STRIDE 4096
/** Ring: value after reset. */
#define TRAPEZE_BELL_PAGES_RING_RESET 0x0
/** Field (w): 1 sets the doorbell. */
#define TRAPEZE_BELL_PAGES_RING_BELL_MASK 0x1
#define TRAPEZE_BELL_PAGES_RING_BELL_SHIFT 0

#endif /* TRAPEZE_BELL_PAGES_H_ */
