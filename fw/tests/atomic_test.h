/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief What the tests of the A extension share: its instructions, one at a time.
 */
#ifndef TRAPEZE_ATOMIC_TEST_H_
#define TRAPEZE_ATOMIC_TEST_H_

#include "test.h"

/** @return the word at @p at, which is then reserved */
static inline uint32_t lr(const volatile uint32_t *at)
{
	uint32_t value;

	__asm__ volatile("lr.w %0, (%1)" : "=r"(value) : "r"(at) : "memory");
	return value;
}

/** @return 0 if @p value was stored, else 1 */
static inline uint32_t sc(volatile uint32_t *at, uint32_t value)
{
	uint32_t failed;

	__asm__ volatile("sc.w %0, %2, (%1)" : "=&r"(failed) : "r"(at), "r"(value) : "memory");
	return failed;
}

/** An AMO by its name; its value is the old one. */
#define AMO(insn, at, operand)                                                                     \
	__extension__({                                                                            \
		uint32_t old_;                                                                     \
		__asm__ volatile(insn " %0, %2, (%1)"                                              \
				 : "=&r"(old_)                                                     \
				 : "r"(at), "r"(operand)                                           \
				 : "memory");                                                      \
		old_;                                                                              \
	})

#endif /* TRAPEZE_ATOMIC_TEST_H_ */
