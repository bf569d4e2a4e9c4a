/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Stress generator: registers. Only word accesses; write strobes are ignored. Offsets without a register read as zero and ignore writes. It takes precedence over every other manager. It only reads, so memory keeps its contents.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_STRESS_H_
#define TRAPEZE_STRESS_H_

/** Rate (rw), 32 bits: offset. A write sets accesses to 0. */
#define TRAPEZE_STRESS_RATE_OFFSET 0x00
/** Rate: value after reset. */
#define TRAPEZE_STRESS_RATE_RESET 0x0
/** Field (rw): chance, in 1/256, that a clock begins an access; 0: off. */
#define TRAPEZE_STRESS_RATE_CHANCE_MASK 0xff
#define TRAPEZE_STRESS_RATE_CHANCE_SHIFT 0

/** Seed (rw), 32 bits: offset. State of the xorshift32 generator, which advances in each clock while the rate is not 0. 0 is stored as 1. */
#define TRAPEZE_STRESS_SEED_OFFSET 0x04
/** Seed: value after reset. */
#define TRAPEZE_STRESS_SEED_RESET 0x1
/** Field (rw): state. */
#define TRAPEZE_STRESS_SEED_STATE_MASK 0xffffffff
#define TRAPEZE_STRESS_SEED_STATE_SHIFT 0

/** Banks (rw), 32 bits: offset. Each access goes to one of these banks, at random. With none selected there are no accesses. */
#define TRAPEZE_STRESS_BANKS_OFFSET 0x08
/** Banks: value after reset. */
#define TRAPEZE_STRESS_BANKS_RESET 0x7
/** Field (rw): instruction bank. */
#define TRAPEZE_STRESS_BANKS_IMEM_MASK 0x1
#define TRAPEZE_STRESS_BANKS_IMEM_SHIFT 0
/** Field (rw): data bank. */
#define TRAPEZE_STRESS_BANKS_DMEM_MASK 0x2
#define TRAPEZE_STRESS_BANKS_DMEM_SHIFT 1
/** Field (rw): stack bank. */
#define TRAPEZE_STRESS_BANKS_SMEM_MASK 0x4
#define TRAPEZE_STRESS_BANKS_SMEM_SHIFT 2

/** Accesses (r), 32 bits: offset. */
#define TRAPEZE_STRESS_ACCESSES_OFFSET 0x0c
/** Accesses: value after reset. */
#define TRAPEZE_STRESS_ACCESSES_RESET 0x0
/** Field (r): accesses made since rate was written; wraps around. */
#define TRAPEZE_STRESS_ACCESSES_COUNT_MASK 0xffffffff
#define TRAPEZE_STRESS_ACCESSES_COUNT_SHIFT 0

#endif /* TRAPEZE_STRESS_H_ */
