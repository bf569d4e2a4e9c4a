/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief For tests of the A extension: a macro or function for each of its instructions.
 */
#ifndef TRAPEZE_ATOMIC_TEST_H_
#define TRAPEZE_ATOMIC_TEST_H_

#include "test.h"

/** Defines a word in the code section, which is another bank than that of data. */
#define CODE_WORD(name)                                                                            \
	__asm__(".section .text.word, \"awx\", @progbits\n"                                        \
		".balign 4\n" #name ":\n"                                                          \
		"	.word 0\n"                                                                       \
		".text");                                                                          \
	extern volatile uint32_t name

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

/** An AMO by its name. Its value is the old value of the word. */
#define AMO(insn, at, operand)                                                                     \
	__extension__({                                                                            \
		uint32_t old_;                                                                     \
		__asm__ volatile(insn " %0, %2, (%1)"                                              \
				 : "=&r"(old_)                                                     \
				 : "r"(at), "r"(operand)                                           \
				 : "memory");                                                      \
		old_;                                                                              \
	})

/**
 * Checks that an instruction with rd a0, operand a1 and address a2 raises an exception with this address, and does not
 * change rd.
 */
#define CHECK_ATOMIC_TRAP(insn, cause, address)                                                    \
	do {                                                                                       \
		register uint32_t value_ __asm__("a0") = 0x5a5a5a5aU;                              \
		register uint32_t operand_ __asm__("a1") = 0x01020304U;                            \
		register uint32_t at_ __asm__("a2") = (address);                                   \
		uint32_t pc_;                                                                      \
		__asm__ volatile("la %1, 1f\n1:\t" insn                                            \
				 : "+r"(value_), "=&r"(pc_)                                        \
				 : "r"(operand_), "r"(at_)                                         \
				 : "memory");                                                      \
		uint32_t result_ = value_;                                                         \
		CHECK_TRAP(cause, pc_, address);                                                   \
		CHECK_EQ(result_, 0x5a5a5a5aU);                                                    \
	} while (0)

/** The same for all instructions of the extension: the load-reserved with one cause, the others with another. */
#define CHECK_ATOMIC_TRAPS(load_cause, store_cause, address)                                       \
	do {                                                                                       \
		CHECK_ATOMIC_TRAP("lr.w a0, (a2)", load_cause, address);                           \
		CHECK_ATOMIC_TRAP("sc.w a0, a1, (a2)", store_cause, address);                      \
		CHECK_ATOMIC_TRAP("amoswap.w a0, a1, (a2)", store_cause, address);                 \
		CHECK_ATOMIC_TRAP("amoadd.w a0, a1, (a2)", store_cause, address);                  \
		CHECK_ATOMIC_TRAP("amoxor.w a0, a1, (a2)", store_cause, address);                  \
		CHECK_ATOMIC_TRAP("amoand.w a0, a1, (a2)", store_cause, address);                  \
		CHECK_ATOMIC_TRAP("amoor.w a0, a1, (a2)", store_cause, address);                   \
		CHECK_ATOMIC_TRAP("amomin.w a0, a1, (a2)", store_cause, address);                  \
		CHECK_ATOMIC_TRAP("amomax.w a0, a1, (a2)", store_cause, address);                  \
		CHECK_ATOMIC_TRAP("amominu.w a0, a1, (a2)", store_cause, address);                 \
		CHECK_ATOMIC_TRAP("amomaxu.w a0, a1, (a2)", store_cause, address);                 \
	} while (0)

#endif /* TRAPEZE_ATOMIC_TEST_H_ */
