/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: loads and stores to addresses without a device raise access faults and change nothing
expect: |
  PASS
*/
#include "test.h"

#define HOLE 0x90000000U

/* Executes one instruction at a known address. Its destination register must keep its value. */
#define TRY_LOAD(insn, address)                                                                    \
	do {                                                                                       \
		uint32_t value_ = 0x5a5a1234U;                                                     \
		uint32_t pc_;                                                                      \
		__asm__ volatile("la %1, 1f\n"                                                     \
				 "1:\t" insn " %0, 4(%2)"                                          \
				 : "+&r"(value_), "=&r"(pc_)                                       \
				 : "r"(-4U + (address))                                            \
				 : "memory");                                                      \
		CHECK_TRAP(MCAUSE_LOAD_FAULT, pc_, address);                                       \
		CHECK_EQ(value_, 0x5a5a1234U);                                                     \
	} while (0)

#define TRY_STORE(insn, address)                                                                   \
	do {                                                                                       \
		uint32_t pc_;                                                                      \
		__asm__ volatile("la %0, 1f\n"                                                     \
				 "1:\t" insn " %1, -8(%2)"                                         \
				 : "=&r"(pc_)                                                      \
				 : "r"(0x600df00dU), "r"((address) + 8U)                           \
				 : "memory");                                                      \
		CHECK_TRAP(MCAUSE_STORE_FAULT, pc_, address);                                      \
	} while (0)

int main(void)
{
	test_begin();

	TRY_LOAD("lw", HOLE);
	TRY_LOAD("lh", HOLE + 2U);
	TRY_LOAD("lhu", HOLE + 6U);
	TRY_LOAD("lb", HOLE + 1U);
	TRY_LOAD("lbu", HOLE + 3U);
	TRY_LOAD("lw", 0xfffffff0U);
	TRY_LOAD("lbu", 0xffffffffU);
	TRY_LOAD("lw", 0xa0000000U);
	TRY_STORE("sw", HOLE);
	TRY_STORE("sh", HOLE + 2U);
	TRY_STORE("sb", HOLE + 3U);
	TRY_STORE("sw", 0xfffffffcU);

	/* Faults in a row; a good access between them; a load whose value would be used at once. */
	uint32_t good = 0x13579bdfU;
	uint32_t a = 1U;
	uint32_t b = 2U;
	uint32_t c = 3U;

	__asm__ volatile("lw %0, 0(%3)\n\t"
			 "sw %1, 0(%3)\n\t"
			 "lw %1, 0(%4)\n\t"
			 "lw %2, 0(%3)\n\t"
			 "addi %2, %2, 7\n\t"
			 "sw %0, 4(%3)"
			 : "+&r"(a), "+&r"(b), "+&r"(c)
			 : "r"(HOLE), "r"(&good)
			 : "memory");
	CHECK_EQ(a, 1U);
	CHECK_EQ(b, 0x13579bdfU);
	CHECK_EQ(c, 10U);
	CHECK_EQ(trap_last.count, 4U);
	CHECK_EQ(trap_last.mcause, MCAUSE_STORE_FAULT);
	CHECK_EQ(trap_last.mtval, HOLE + 4U);
	trap_clear();

	/* The instruction behind a fault has no effect before the handler has run. Here it is a jump, a CSR write, a
	 * store.
	 */
	uint32_t order = 0U;

	csr_write(CSR_MCOUNTEREN, 0U);
	__asm__ volatile("lw %0, 0(%1)\n\t"
			 "sw %2, 0(%3)\n\t"
			 "csrwi mcounteren, 5"
			 : "+&r"(a)
			 : "r"(HOLE), "r"(0x77U), "r"(&order)
			 : "memory");
	CHECK_EQ(trap_last.count, 1U);
	CHECK_EQ(order, 0x77U);
	CHECK_EQ(csr_read(CSR_MCOUNTEREN), 5U);
	csr_write(CSR_MCOUNTEREN, 0U);
	return test_end();
}
