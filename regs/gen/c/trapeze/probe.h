/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Latency probe: registers. W stands for the parameter Width. Word accesses; write strobes are ignored. With neither Moments nor HistogramBins the first 32 bytes repeat; otherwise offsets without a register read as zero and ignore writes.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_PROBE_H_
#define TRAPEZE_PROBE_H_

/** Control and status (rw), 32 bits: offset. One read returns a consistent set. Reads of 0x04 to 0x0c return the same, writes there are ignored. */
#define TRAPEZE_PROBE_CONTROL_OFFSET 0x00
/** Control and status: value after reset. */
#define TRAPEZE_PROBE_CONTROL_RESET 0x0
/** Field (rw): measure; clearing it abandons a measurement in progress. */
#define TRAPEZE_PROBE_CONTROL_WE_MASK 0x1
#define TRAPEZE_PROBE_CONTROL_WE_SHIFT 0
/** Field (w): reset num, alarm, overflow, missed and everything computed from samples. */
#define TRAPEZE_PROBE_CONTROL_CLEAR_MASK 0x2
#define TRAPEZE_PROBE_CONTROL_CLEAR_SHIFT 1
/** Field (r): a latency was above alarm_lat. */
#define TRAPEZE_PROBE_CONTROL_ALARM_MASK 0x4
#define TRAPEZE_PROBE_CONTROL_ALARM_SHIFT 2
/** Field (r): a latency did not fit into W bits and was recorded as 2^W - 1. */
#define TRAPEZE_PROBE_CONTROL_OVERFLOW_MASK 0x8
#define TRAPEZE_PROBE_CONTROL_OVERFLOW_SHIFT 3
/** Field (rw): break_o pulses when the alarm condition is met (parameter Break). */
#define TRAPEZE_PROBE_CONTROL_BREAK_ALARM_MASK 0x10
#define TRAPEZE_PROBE_CONTROL_BREAK_ALARM_SHIFT 4
/** Field (rw): break_o pulses on a new maximum, not on the first latency (parameter Break). */
#define TRAPEZE_PROBE_CONTROL_BREAK_MAX_MASK 0x20
#define TRAPEZE_PROBE_CONTROL_BREAK_MAX_SHIFT 5
/** Field (r): rises of irq while the probe was busy; stays at 2^MissedWidth - 1. */
#define TRAPEZE_PROBE_CONTROL_MISSED_MASK 0xff00
#define TRAPEZE_PROBE_CONTROL_MISSED_SHIFT 8
/** Field (r): latencies since the last clear; stays at 65535. */
#define TRAPEZE_PROBE_CONTROL_NUM_MASK 0xffff0000
#define TRAPEZE_PROBE_CONTROL_NUM_SHIFT 16

/** Alarm limit (rw), 32 bits: offset. Until it is written after a reset it reads as 0, and there is no alarm. */
#define TRAPEZE_PROBE_ALARM_LAT_OFFSET 0x10
/** Alarm limit: value after reset. */
#define TRAPEZE_PROBE_ALARM_LAT_RESET 0x0
/** Field (rw): latencies above set alarm; W bits. */
#define TRAPEZE_PROBE_ALARM_LAT_VALUE_MASK 0xffffffff
#define TRAPEZE_PROBE_ALARM_LAT_VALUE_SHIFT 0

/** Last latency (r), 32 bits: offset. 0 while num is 0. */
#define TRAPEZE_PROBE_LAST_OFFSET 0x14
/** Last latency: value after reset. */
#define TRAPEZE_PROBE_LAST_RESET 0x0
/** Field (r): in clocks, W bits. */
#define TRAPEZE_PROBE_LAST_VALUE_MASK 0xffffffff
#define TRAPEZE_PROBE_LAST_VALUE_SHIFT 0

/** Largest latency (r), 32 bits: offset. 0 while num is 0. */
#define TRAPEZE_PROBE_MAX_OFFSET 0x18
/** Largest latency: value after reset. */
#define TRAPEZE_PROBE_MAX_RESET 0x0
/** Field (r): in clocks, W bits. */
#define TRAPEZE_PROBE_MAX_VALUE_MASK 0xffffffff
#define TRAPEZE_PROBE_MAX_VALUE_SHIFT 0

/** Smallest latency (r), 32 bits: offset. 0 while num is 0. */
#define TRAPEZE_PROBE_MIN_OFFSET 0x1c
/** Smallest latency: value after reset. */
#define TRAPEZE_PROBE_MIN_RESET 0x0
/** Field (r): in clocks, W bits. */
#define TRAPEZE_PROBE_MIN_VALUE_MASK 0xffffffff
#define TRAPEZE_PROBE_MIN_VALUE_SHIFT 0

/** Sum, low word (r), 32 bits: offset. Parameter Moments. The sums end with the 65535th latency. */
#define TRAPEZE_PROBE_SUM_LO_OFFSET 0x20
/** Sum, low word: value after reset. */
#define TRAPEZE_PROBE_SUM_LO_RESET 0x0
/** Field (r): sum of the latencies, 31:0. */
#define TRAPEZE_PROBE_SUM_LO_VALUE_MASK 0xffffffff
#define TRAPEZE_PROBE_SUM_LO_VALUE_SHIFT 0

/** Sum, high word (r), 32 bits: offset. Parameter Moments. */
#define TRAPEZE_PROBE_SUM_HI_OFFSET 0x24
/** Sum, high word: value after reset. */
#define TRAPEZE_PROBE_SUM_HI_RESET 0x0
/** Field (r): sum of the latencies, 63:32. */
#define TRAPEZE_PROBE_SUM_HI_VALUE_MASK 0xffffffff
#define TRAPEZE_PROBE_SUM_HI_VALUE_SHIFT 0

/** Sum of squares, low word (r), 32 bits: offset. Parameter Moments. */
#define TRAPEZE_PROBE_SQUARES_LO_OFFSET 0x28
/** Sum of squares, low word: value after reset. */
#define TRAPEZE_PROBE_SQUARES_LO_RESET 0x0
/** Field (r): sum of the squares, 31:0. */
#define TRAPEZE_PROBE_SQUARES_LO_VALUE_MASK 0xffffffff
#define TRAPEZE_PROBE_SQUARES_LO_VALUE_SHIFT 0

/** Sum of squares, middle word (r), 32 bits: offset. Parameter Moments. */
#define TRAPEZE_PROBE_SQUARES_MID_OFFSET 0x2c
/** Sum of squares, middle word: value after reset. */
#define TRAPEZE_PROBE_SQUARES_MID_RESET 0x0
/** Field (r): sum of the squares, 63:32. */
#define TRAPEZE_PROBE_SQUARES_MID_VALUE_MASK 0xffffffff
#define TRAPEZE_PROBE_SQUARES_MID_VALUE_SHIFT 0

/** Sum of squares, high word (r), 32 bits: offset. Parameter Moments. */
#define TRAPEZE_PROBE_SQUARES_HI_OFFSET 0x30
/** Sum of squares, high word: value after reset. */
#define TRAPEZE_PROBE_SQUARES_HI_RESET 0x0
/** Field (r): sum of the squares, 95:64. */
#define TRAPEZE_PROBE_SQUARES_HI_VALUE_MASK 0xffffffff
#define TRAPEZE_PROBE_SQUARES_HI_VALUE_SHIFT 0

/** Histogram scale (rw), 32 bits: offset. Parameter HistogramBins. Write it before measuring, and clear. */
#define TRAPEZE_PROBE_HISTOGRAM_SCALE_OFFSET 0x34
/** Histogram scale: value after reset. */
#define TRAPEZE_PROBE_HISTOGRAM_SCALE_RESET 0x0
/** Field (rw): the bin of a latency is its value shifted right by this number, at most the last bin. */
#define TRAPEZE_PROBE_HISTOGRAM_SCALE_SHIFT_MASK 0x1f
#define TRAPEZE_PROBE_HISTOGRAM_SCALE_SHIFT_SHIFT 0

/** Histogram bin (r), 32 bits: offset. Parameter HistogramBins, the number of bins. */
#define TRAPEZE_PROBE_HISTOGRAM_BIN_OFFSET 0x800
/** Histogram bin: how many there can be. */
#define TRAPEZE_PROBE_HISTOGRAM_BIN_COUNT 512
/** Histogram bin: bytes from each to the next. */
#define TRAPEZE_PROBE_HISTOGRAM_BIN_STRIDE 4
/** Histogram bin: value after reset. */
#define TRAPEZE_PROBE_HISTOGRAM_BIN_RESET 0x0
/** Field (r): latencies in this bin; stays at its largest value. */
#define TRAPEZE_PROBE_HISTOGRAM_BIN_COUNT_MASK 0xffffffff
#define TRAPEZE_PROBE_HISTOGRAM_BIN_COUNT_SHIFT 0

#endif /* TRAPEZE_PROBE_H_ */
