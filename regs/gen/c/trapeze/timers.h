/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Triple timer: registers. Only word accesses; write strobes are ignored. Offsets without a register read as zero and ignore writes.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_TIMERS_H_
#define TRAPEZE_TIMERS_H_

/** Control (rw), 32 bits: offset. A write with enable set starts the count at 0. */
#define TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET 0x00
/** Control: how many there can be. */
#define TRAPEZE_TIMERS_CHANNEL_CONTROL_COUNT 3
/** Control: bytes from each to the next. */
#define TRAPEZE_TIMERS_CHANNEL_CONTROL_STRIDE 16
/** Control: value after reset. */
#define TRAPEZE_TIMERS_CHANNEL_CONTROL_RESET 0x0
/** Field (rw): counts; a one-shot timer clears it when it expires. */
#define TRAPEZE_TIMERS_CHANNEL_CONTROL_ENABLE_MASK 0x1
#define TRAPEZE_TIMERS_CHANNEL_CONTROL_ENABLE_SHIFT 0
/** Field (rw): 1: stop after one period; 0: start anew. */
#define TRAPEZE_TIMERS_CHANNEL_CONTROL_ONE_SHOT_MASK 0x2
#define TRAPEZE_TIMERS_CHANNEL_CONTROL_ONE_SHOT_SHIFT 1
/** Field (rw): 1: irq_o is high for one clock at an expiry; 0: while status.expired is set. */
#define TRAPEZE_TIMERS_CHANNEL_CONTROL_PULSE_MASK 0x4
#define TRAPEZE_TIMERS_CHANNEL_CONTROL_PULSE_SHIFT 2

/** Period (rw), 32 bits: offset. Takes effect at once. If the count is already past it, the timer expires in the next clock. */
#define TRAPEZE_TIMERS_CHANNEL_PERIOD_OFFSET 0x04
/** Period: how many there can be. */
#define TRAPEZE_TIMERS_CHANNEL_PERIOD_COUNT 3
/** Period: bytes from each to the next. */
#define TRAPEZE_TIMERS_CHANNEL_PERIOD_STRIDE 16
/** Period: value after reset. */
#define TRAPEZE_TIMERS_CHANNEL_PERIOD_RESET 0x0
/** Field (rw): clocks from start to expiry and between expiries; 0 stands for 2^32. */
#define TRAPEZE_TIMERS_CHANNEL_PERIOD_VALUE_MASK 0xffffffff
#define TRAPEZE_TIMERS_CHANNEL_PERIOD_VALUE_SHIFT 0

/** Count (r), 32 bits: offset. */
#define TRAPEZE_TIMERS_CHANNEL_COUNT_OFFSET 0x08
/** Count: how many there can be. */
#define TRAPEZE_TIMERS_CHANNEL_COUNT_COUNT 3
/** Count: bytes from each to the next. */
#define TRAPEZE_TIMERS_CHANNEL_COUNT_STRIDE 16
/** Count: value after reset. */
#define TRAPEZE_TIMERS_CHANNEL_COUNT_RESET 0x0
/** Field (r): clocks since the start or the last expiry. */
#define TRAPEZE_TIMERS_CHANNEL_COUNT_VALUE_MASK 0xffffffff
#define TRAPEZE_TIMERS_CHANNEL_COUNT_VALUE_SHIFT 0

/** Status (rw), 32 bits: offset. */
#define TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET 0x0c
/** Status: how many there can be. */
#define TRAPEZE_TIMERS_CHANNEL_STATUS_COUNT 3
/** Status: bytes from each to the next. */
#define TRAPEZE_TIMERS_CHANNEL_STATUS_STRIDE 16
/** Status: value after reset. */
#define TRAPEZE_TIMERS_CHANNEL_STATUS_RESET 0x0
/** Field (rw): the period has passed; write 1 to clear. */
#define TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_MASK 0x1
#define TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_SHIFT 0

#endif /* TRAPEZE_TIMERS_H_ */
