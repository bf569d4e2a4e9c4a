/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a load-reserved, a store-conditional and every AMO at a misaligned address traps and changes nothing
config: [mcu-clint-a, mcu-fastirq-a]
engines: [rtl]
qemu: an AMO raises cause 4 there instead of 6, and a store-conditional to an address that is not reserved only fails
expect: |
  PASS
*/
#include "atomic_test.h"

#define LOAD_MISALIGNED  4U
#define STORE_MISALIGNED 6U

static volatile uint32_t words[3];

#define TRY(insn, cause, offset)                                                                   \
	do {                                                                                       \
		register uint32_t value_ __asm__("a0") = 0x5a5a5a5aU;                              \
		register uint32_t operand_ __asm__("a1") = 0x01020304U;                            \
		register uint32_t at_ __asm__("a2") = (uint32_t)words + (offset);                  \
		uint32_t pc_;                                                                      \
		__asm__ volatile("la %1, 1f\n1:\t" insn                                            \
				 : "+r"(value_), "=&r"(pc_)                                        \
				 : "r"(operand_), "r"(at_)                                         \
				 : "memory");                                                      \
		uint32_t result_ = value_;                                                         \
		CHECK_TRAP(cause, pc_, (uint32_t)words + (offset));                                \
		CHECK_EQ(result_, 0x5a5a5a5aU);                                                    \
	} while (0)

static void check_all(uint32_t offset)
{
	TRY("lr.w a0, (a2)", LOAD_MISALIGNED, offset);
	TRY("sc.w a0, a1, (a2)", STORE_MISALIGNED, offset);
	TRY("amoswap.w a0, a1, (a2)", STORE_MISALIGNED, offset);
	TRY("amoadd.w a0, a1, (a2)", STORE_MISALIGNED, offset);
	TRY("amoxor.w a0, a1, (a2)", STORE_MISALIGNED, offset);
	TRY("amoand.w a0, a1, (a2)", STORE_MISALIGNED, offset);
	TRY("amoor.w a0, a1, (a2)", STORE_MISALIGNED, offset);
	TRY("amomin.w a0, a1, (a2)", STORE_MISALIGNED, offset);
	TRY("amomax.w a0, a1, (a2)", STORE_MISALIGNED, offset);
	TRY("amominu.w a0, a1, (a2)", STORE_MISALIGNED, offset);
	TRY("amomaxu.w a0, a1, (a2)", STORE_MISALIGNED, offset);
}

/* The address has just been loaded. */
static void check_loaded(uint32_t offset)
{
	uint32_t pc;

	words[2] = (uint32_t)words + offset;
	__asm__ volatile("la %0, 1f\n\t"
			 "lw a2, 8(%1)\n"
			 "1:\tamoadd.w a0, a1, (a2)"
			 : "=&r"(pc)
			 : "r"(words)
			 : "memory", "a0", "a2");
	CHECK_TRAP(STORE_MISALIGNED, pc, (uint32_t)words + offset);
	/* A half-word lies elsewhere on the bus than in the register: what is beside it must not count. It is the address
	 * of no memory. */
	words[2] = ((uint32_t)words << 16) | offset;
	__asm__ volatile("la %0, 1f\n\t"
			 "lhu a2, 10(%1)\n"
			 "1:\tlr.w a0, (a2)"
			 : "=&r"(pc)
			 : "r"(words)
			 : "memory", "a0", "a2");
	CHECK_TRAP(MCAUSE_LOAD_FAULT, pc, (uint32_t)words & 0xffffU);
}

int main(void)
{
	test_begin();
	for (uint32_t offset = 1; offset < 4U; offset++) {
		words[0] = 0x11111111U;
		words[1] = 0x22222222U;
		check_all(offset);
		check_loaded(offset);
		/* With a reservation, which the trap ends. */
		(void)lr(&words[0]);
		TRY("sc.w a0, a1, (a2)", STORE_MISALIGNED, offset);
		CHECK_EQ(sc(&words[0], 0xbadU), 1U);
		CHECK_EQ(words[0], 0x11111111U);
		CHECK_EQ(words[1], 0x22222222U);
	}
	return test_end();
}
