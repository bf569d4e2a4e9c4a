/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief PLIC: registers of the Trapeze SoC. For the harts with supervisor mode; no other hart sees it. Each has two contexts: the first hart has context 0 for machine mode and 1 for supervisor mode, the second has 2 and 3. Word accesses; offsets without a register read as zero and ignore writes.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_PLIC_H_
#define TRAPEZE_PLIC_H_

/** Priority of a source (rw), 32 bits: offset. The word of source 0, which does not exist, is reserved. */
#define TRAPEZE_PLIC_PRIORITY_OFFSET 0x00
/** Priority of a source: how many there can be. */
#define TRAPEZE_PLIC_PRIORITY_COUNT 96
/** Priority of a source: bytes from each to the next. */
#define TRAPEZE_PLIC_PRIORITY_STRIDE 4
/** Priority of a source: value after reset. */
#define TRAPEZE_PLIC_PRIORITY_RESET 0x0
/** Field (rw): 0: never interrupts; 7 is the most urgent. */
#define TRAPEZE_PLIC_PRIORITY_VALUE_MASK 0x7
#define TRAPEZE_PLIC_PRIORITY_VALUE_SHIFT 0

/** Pending (r), 32 bits: offset. One bit for each source. */
#define TRAPEZE_PLIC_PENDING_OFFSET 0x1000
/** Pending: how many there can be. */
#define TRAPEZE_PLIC_PENDING_COUNT 3
/** Pending: bytes from each to the next. */
#define TRAPEZE_PLIC_PENDING_STRIDE 4
/** Pending: value after reset. */
#define TRAPEZE_PLIC_PENDING_RESET 0x0
/** Field (r): a request of the source waits to be claimed. */
#define TRAPEZE_PLIC_PENDING_SOURCES_MASK 0xffffffff
#define TRAPEZE_PLIC_PENDING_SOURCES_SHIFT 0

/** Enable, sources 0 to 31 (rw), 32 bits: offset. */
#define TRAPEZE_PLIC_ENABLE_LOW_OFFSET 0x2000
/** Enable, sources 0 to 31: how many there can be. */
#define TRAPEZE_PLIC_ENABLE_LOW_COUNT 4
/** Enable, sources 0 to 31: bytes from each to the next. */
#define TRAPEZE_PLIC_ENABLE_LOW_STRIDE 128
/** Enable, sources 0 to 31: value after reset. */
#define TRAPEZE_PLIC_ENABLE_LOW_RESET 0x0
/** Field (rw): sources that interrupt the context. */
#define TRAPEZE_PLIC_ENABLE_LOW_SOURCES_MASK 0xffffffff
#define TRAPEZE_PLIC_ENABLE_LOW_SOURCES_SHIFT 0

/** Enable, sources 32 to 63 (rw), 32 bits: offset. */
#define TRAPEZE_PLIC_ENABLE_MIDDLE_OFFSET 0x2004
/** Enable, sources 32 to 63: how many there can be. */
#define TRAPEZE_PLIC_ENABLE_MIDDLE_COUNT 4
/** Enable, sources 32 to 63: bytes from each to the next. */
#define TRAPEZE_PLIC_ENABLE_MIDDLE_STRIDE 128
/** Enable, sources 32 to 63: value after reset. */
#define TRAPEZE_PLIC_ENABLE_MIDDLE_RESET 0x0
/** Field (rw): sources that interrupt the context. */
#define TRAPEZE_PLIC_ENABLE_MIDDLE_SOURCES_MASK 0xffffffff
#define TRAPEZE_PLIC_ENABLE_MIDDLE_SOURCES_SHIFT 0

/** Enable, sources 64 to 95 (rw), 32 bits: offset. */
#define TRAPEZE_PLIC_ENABLE_HIGH_OFFSET 0x2008
/** Enable, sources 64 to 95: how many there can be. */
#define TRAPEZE_PLIC_ENABLE_HIGH_COUNT 4
/** Enable, sources 64 to 95: bytes from each to the next. */
#define TRAPEZE_PLIC_ENABLE_HIGH_STRIDE 128
/** Enable, sources 64 to 95: value after reset. */
#define TRAPEZE_PLIC_ENABLE_HIGH_RESET 0x0
/** Field (rw): sources that interrupt the context. */
#define TRAPEZE_PLIC_ENABLE_HIGH_SOURCES_MASK 0xffffffff
#define TRAPEZE_PLIC_ENABLE_HIGH_SOURCES_SHIFT 0

/** Threshold of a context (rw), 32 bits: offset. */
#define TRAPEZE_PLIC_CONTEXT_THRESHOLD_OFFSET 0x200000
/** Threshold of a context: how many there can be. */
#define TRAPEZE_PLIC_CONTEXT_THRESHOLD_COUNT 4
/** Threshold of a context: bytes from each to the next. */
#define TRAPEZE_PLIC_CONTEXT_THRESHOLD_STRIDE 4096
/** Threshold of a context: value after reset. */
#define TRAPEZE_PLIC_CONTEXT_THRESHOLD_RESET 0x0
/** Field (rw): sources of this priority or a lower one do not interrupt. */
#define TRAPEZE_PLIC_CONTEXT_THRESHOLD_VALUE_MASK 0x7
#define TRAPEZE_PLIC_CONTEXT_THRESHOLD_VALUE_SHIFT 0

/** Claim and completion (rw), 32 bits: offset. A read claims the most urgent enabled request, among equals the one of the lowest number, and returns its number, or 0. A write of the number completes it. */
#define TRAPEZE_PLIC_CONTEXT_CLAIM_OFFSET 0x200004
/** Claim and completion: how many there can be. */
#define TRAPEZE_PLIC_CONTEXT_CLAIM_COUNT 4
/** Claim and completion: bytes from each to the next. */
#define TRAPEZE_PLIC_CONTEXT_CLAIM_STRIDE 4096
/** Claim and completion: value after reset. */
#define TRAPEZE_PLIC_CONTEXT_CLAIM_RESET 0x0
/** Field (rw): number of the source. */
#define TRAPEZE_PLIC_CONTEXT_CLAIM_SOURCE_MASK 0xffffffff
#define TRAPEZE_PLIC_CONTEXT_CLAIM_SOURCE_SHIFT 0

#endif /* TRAPEZE_PLIC_H_ */
