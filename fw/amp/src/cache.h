/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Cache maintenance for memory shared with Linux, whose cache is not coherent with this hart's: Zicbom, line by
 * line. A hart without Zicbom has no such cache, and does nothing.
 */
#ifndef CACHE_H_
#define CACHE_H_

#include <stdint.h>

#include <trapeze/ring.h>

/* The instructions by their encoding, for compilers without Zicbom: MISC-MEM, funct3 2, rd 0. Source:
 * RISC-V Base Cache Management Operation ISA Extensions 1.0.1. */
#ifdef __riscv_zicbom
#define CACHE_LINE_(operation, line)                                                               \
	__asm__ volatile(".insn i 0x0f, 2, x0, %0, " operation : : "r"(line) : "memory")
#define CACHE_FOUR_LINES_(operation, line)                                                         \
	__asm__ volatile(".insn i 0x0f, 2, x0, %0, " operation "\n\t"                              \
			 ".insn i 0x0f, 2, x0, %1, " operation "\n\t"                              \
			 ".insn i 0x0f, 2, x0, %2, " operation "\n\t"                              \
			 ".insn i 0x0f, 2, x0, %3, " operation                                     \
			 :                                                                         \
			 : "r"(line), "r"((line) + TRAPEZE_RING_LINE),                             \
			   "r"((line) + 2U * TRAPEZE_RING_LINE),                                   \
			   "r"((line) + 3U * TRAPEZE_RING_LINE)                                    \
			 : "memory")
/* Four lines a round, so that the loop costs little. A hart of two pipelines executes these instructions alone, and two
 * additions in a cycle. */
#define CACHE_LINES_(operation, region)                                                            \
	do {                                                                                       \
		uint64_t line_ = (region)->address;                                                \
		uint64_t end_ = line_ + (region)->bytes;                                           \
		for (; end_ - line_ >= 4U * TRAPEZE_RING_LINE; line_ += 4U * TRAPEZE_RING_LINE) {  \
			CACHE_FOUR_LINES_(operation, line_);                                       \
		}                                                                                  \
		for (; line_ < end_; line_ += TRAPEZE_RING_LINE) {                                 \
			CACHE_LINE_(operation, line_);                                             \
		}                                                                                  \
	} while (0)
#else
#define CACHE_LINES_(operation, region) ((void)(region))
#endif

/** Discards what the cache holds of a region. */
static inline void cache_forget(const struct trapeze_ring_region *region)
{
	CACHE_LINES_("0", region); /* cbo.inval */
}

/** Writes back what the cache holds of a region, and discards it. */
static inline void cache_flush(const struct trapeze_ring_region *region)
{
	CACHE_LINES_("2", region); /* cbo.flush */
}

#endif /* CACHE_H_ */
