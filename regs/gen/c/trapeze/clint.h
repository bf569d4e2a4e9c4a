/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief CLINT: registers of the Trapeze SoC. Software interrupts and timers. Registers of absent harts, and offsets without a register, read as zero and ignore writes.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_CLINT_H_
#define TRAPEZE_CLINT_H_

/** Software interrupt pending (rw), 32 bits: offset. One for each hart. */
#define TRAPEZE_CLINT_MSIP_OFFSET 0x00
/** Software interrupt pending: how many there can be. */
#define TRAPEZE_CLINT_MSIP_COUNT 4095
/** Software interrupt pending: bytes from each to the next. */
#define TRAPEZE_CLINT_MSIP_STRIDE 4
/** Software interrupt pending: value after reset. */
#define TRAPEZE_CLINT_MSIP_RESET 0x0
/** Field (rw): drives mip.MSIP of the hart. */
#define TRAPEZE_CLINT_MSIP_MSIP_MASK 0x1
#define TRAPEZE_CLINT_MSIP_MSIP_SHIFT 0

/** Timer compare, low half (rw), 32 bits: offset. mip.MTIP of the hart is on while mtime >= mtimecmp. */
#define TRAPEZE_CLINT_MTIMECMP_LO_OFFSET 0x4000
/** Timer compare, low half: how many there can be. */
#define TRAPEZE_CLINT_MTIMECMP_LO_COUNT 4095
/** Timer compare, low half: bytes from each to the next. */
#define TRAPEZE_CLINT_MTIMECMP_LO_STRIDE 8
/** Timer compare, low half: value after reset. */
#define TRAPEZE_CLINT_MTIMECMP_LO_RESET 0xffffffff
/** Field (rw): mtimecmp 31:0. */
#define TRAPEZE_CLINT_MTIMECMP_LO_VALUE_MASK 0xffffffff
#define TRAPEZE_CLINT_MTIMECMP_LO_VALUE_SHIFT 0

/** Timer compare, high half (rw), 32 bits: offset. */
#define TRAPEZE_CLINT_MTIMECMP_HI_OFFSET 0x4004
/** Timer compare, high half: how many there can be. */
#define TRAPEZE_CLINT_MTIMECMP_HI_COUNT 4095
/** Timer compare, high half: bytes from each to the next. */
#define TRAPEZE_CLINT_MTIMECMP_HI_STRIDE 8
/** Timer compare, high half: value after reset. */
#define TRAPEZE_CLINT_MTIMECMP_HI_RESET 0xffffffff
/** Field (rw): mtimecmp 63:32. */
#define TRAPEZE_CLINT_MTIMECMP_HI_VALUE_MASK 0xffffffff
#define TRAPEZE_CLINT_MTIMECMP_HI_VALUE_SHIFT 0

/** Time, low half (rw), 32 bits: offset. Counts clock cycles, or one in several with a prescaler. */
#define TRAPEZE_CLINT_MTIME_LO_OFFSET 0xbff8
/** Time, low half: value after reset. */
#define TRAPEZE_CLINT_MTIME_LO_RESET 0x0
/** Field (rw): mtime 31:0. */
#define TRAPEZE_CLINT_MTIME_LO_VALUE_MASK 0xffffffff
#define TRAPEZE_CLINT_MTIME_LO_VALUE_SHIFT 0

/** Time, high half (rw), 32 bits: offset. */
#define TRAPEZE_CLINT_MTIME_HI_OFFSET 0xbffc
/** Time, high half: value after reset. */
#define TRAPEZE_CLINT_MTIME_HI_RESET 0x0
/** Field (rw): mtime 63:32. */
#define TRAPEZE_CLINT_MTIME_HI_VALUE_MASK 0xffffffff
#define TRAPEZE_CLINT_MTIME_HI_VALUE_SHIFT 0

#endif /* TRAPEZE_CLINT_H_ */
