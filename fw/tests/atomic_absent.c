/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: without A each of its instructions is illegal and changes nothing, and misa does not name the extension
lacks: [a]
expect: |
  PASS
*/
#include "test.h"

#define MISA_A 1U

static volatile uint32_t word;

/* Checks that an instruction is illegal. a0 is rd, a1 the address, a2 the operand (x0 where `rs2` says so). */
#define TRY(funct5, order, rs2)                                                                    \
	do {                                                                                       \
		register uint32_t value_ __asm__("a0") = 0x5a5a5a5aU;                              \
		register uint32_t at_ __asm__("a1") = (uint32_t)&word;                             \
		register uint32_t operand_ __asm__("a2") = 0x01020304U;                            \
		uint32_t pc_;                                                                      \
		__asm__ volatile("la %1, 1f\n1:\t.insn r 0x2f, 2, (" #funct5 " << 2) + " #order    \
				 ", a0, a1, " #rs2                                                 \
				 : "+r"(value_), "=&r"(pc_)                                        \
				 : "r"(at_), "r"(operand_)                                         \
				 : "memory");                                                      \
		uint32_t result_ = value_;                                                         \
		CHECK_TRAP(MCAUSE_ILLEGAL_INSTRUCTION, pc_, *(const uint32_t *)pc_);               \
		CHECK_EQ(result_, 0x5a5a5a5aU);                                                    \
	} while (0)

#define TRY_ORDERS(funct5, rs2)                                                                    \
	do {                                                                                       \
		TRY(funct5, 0, rs2);                                                               \
		TRY(funct5, 1, rs2);                                                               \
		TRY(funct5, 2, rs2);                                                               \
		TRY(funct5, 3, rs2);                                                               \
	} while (0)

int main(void)
{
	test_begin();
	CHECK_EQ(csr_read(CSR_MISA) & MISA_A, 0U);
	word = 0x0badcafeU;
	TRY_ORDERS(2, x0);  /* lr.w */
	TRY_ORDERS(3, a2);  /* sc.w */
	TRY_ORDERS(1, a2);  /* amoswap.w */
	TRY_ORDERS(0, a2);  /* amoadd.w */
	TRY_ORDERS(4, a2);  /* amoxor.w */
	TRY_ORDERS(12, a2); /* amoand.w */
	TRY_ORDERS(8, a2);  /* amoor.w */
	TRY_ORDERS(16, a2); /* amomin.w */
	TRY_ORDERS(20, a2); /* amomax.w */
	TRY_ORDERS(24, a2); /* amominu.w */
	TRY_ORDERS(28, a2); /* amomaxu.w */
	CHECK_EQ(word, 0x0badcafeU);
	return test_end();
}
