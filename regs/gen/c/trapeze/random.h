/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Random data generator: registers. Only word accesses; write strobes are ignored. Offsets without a register read as zero and ignore writes.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_RANDOM_H_
#define TRAPEZE_RANDOM_H_

/** Data (r), 32 bits: offset. The read removes the word. 0 when there is none. */
#define TRAPEZE_RANDOM_DATA_OFFSET 0x00
/** Data: value after reset. */
#define TRAPEZE_RANDOM_DATA_RESET 0x0
/** Field (r (read clears)): oldest word of the block. */
#define TRAPEZE_RANDOM_DATA_WORD_MASK 0xffffffff
#define TRAPEZE_RANDOM_DATA_WORD_SHIFT 0

/** Status (r), 32 bits: offset. */
#define TRAPEZE_RANDOM_STATUS_OFFSET 0x04
/** Status: value after reset. */
#define TRAPEZE_RANDOM_STATUS_RESET 0x0
/** Field (r): the block is ready: the interrupt output. */
#define TRAPEZE_RANDOM_STATUS_READY_MASK 0x1
#define TRAPEZE_RANDOM_STATUS_READY_SHIFT 0
/** Field (r): a block is being generated. */
#define TRAPEZE_RANDOM_STATUS_BUSY_MASK 0x2
#define TRAPEZE_RANDOM_STATUS_BUSY_SHIFT 1
/** Field (r): a start was ignored, because the block before had not been read; cleared by ack. */
#define TRAPEZE_RANDOM_STATUS_OVERRUN_MASK 0x4
#define TRAPEZE_RANDOM_STATUS_OVERRUN_SHIFT 2
/** Field (r): words that can be read. */
#define TRAPEZE_RANDOM_STATUS_WORDS_MASK 0xffff0000
#define TRAPEZE_RANDOM_STATUS_WORDS_SHIFT 16

/** Control (rw), 32 bits: offset. */
#define TRAPEZE_RANDOM_CONTROL_OFFSET 0x08
/** Control: value after reset. */
#define TRAPEZE_RANDOM_CONTROL_RESET 0x0
/** Field (rw): a rise of the start input starts a block. */
#define TRAPEZE_RANDOM_CONTROL_ENABLE_MASK 0x1
#define TRAPEZE_RANDOM_CONTROL_ENABLE_SHIFT 0
/** Field (w): start a block now. */
#define TRAPEZE_RANDOM_CONTROL_START_MASK 0x2
#define TRAPEZE_RANDOM_CONTROL_START_SHIFT 1
/** Field (w): acknowledge without reading: discard the block, ready or not, and clear the interrupt. */
#define TRAPEZE_RANDOM_CONTROL_ACK_MASK 0x4
#define TRAPEZE_RANDOM_CONTROL_ACK_SHIFT 2

/** Seed (rw), 32 bits: offset. State of the xorshift32 generator; the next word is its successor. 0 is stored as 1. */
#define TRAPEZE_RANDOM_SEED_OFFSET 0x0c
/** Seed: value after reset. */
#define TRAPEZE_RANDOM_SEED_RESET 0x1
/** Field (rw): state. */
#define TRAPEZE_RANDOM_SEED_STATE_MASK 0xffffffff
#define TRAPEZE_RANDOM_SEED_STATE_SHIFT 0

#endif /* TRAPEZE_RANDOM_H_ */
