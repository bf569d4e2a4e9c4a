/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: without C, jalr directly behind the load of its base traps if its target is not word-aligned, and only then
config: [mcu-clint-m]
expect: |
  PASS
*/
#include "test.h"

#define LINK 0x5a5a5a5aU

/* A word at an offset, and the bytes before and after it. */
static uint8_t around[12] __attribute__((aligned(4)));

static void place(uint32_t offset, uint32_t value, uint8_t others)
{
	for (uint32_t i = 0; i < sizeof(around); i++) {
		around[i] = others;
	}
	for (uint32_t i = 0; i < 4U; i++) {
		around[offset + i] = (uint8_t)(value >> (8U * i));
	}
}

/* jalr directly behind the load of its base: bit 1 of the target decides, not that of the words that the load reads. */
#define JALR_BEHIND(load, offset, target)                                                          \
	do {                                                                                       \
		register uint32_t link_ __asm__("t0") = LINK;                                      \
		uint32_t pc_, written_; /* t0 changes in calls */                                  \
                                                                                                   \
		__asm__ volatile("la %0, 2f\n\t"                                                   \
				 "la t1, trap_resume\n\t"                                          \
				 "la t2, 3f\n\t"                                                   \
				 "sw t2, (t1)\n\t" load " t2, (%2)\n"                              \
				 "2:\tjalr t0, (t2)\n"                                             \
				 "3:"                                                              \
				 : "=&r"(pc_), "+r"(link_)                                         \
				 : "r"(&around[offset])                                            \
				 : "memory", "t1", "t2");                                          \
		written_ = link_;                                                                  \
		trap_resume = 0U;                                                                  \
		if ((target) % 4U != 0U) {                                                         \
			CHECK_TRAP(MCAUSE_FETCH_MISALIGNED, pc_, target);                          \
			CHECK_EQ(written_, LINK);                                                  \
		} else {                                                                           \
			CHECK_TRAP(MCAUSE_FETCH_FAULT, target, target);                            \
			CHECK_EQ(written_, pc_ + 4U);                                              \
		}                                                                                  \
	} while (0)

static void indirect_jumps(uint32_t bits, uint8_t others)
{
	/* An address without memory. */
	uint32_t target = 0x90000000U | (0x02020200U & ~bits) | (bits & 2U);

	for (uint32_t offset = 0; offset < 8U; offset++) {
		place(offset, target, others);
		JALR_BEHIND("lw", offset, target);
		JALR_BEHIND("lhu", offset, target & 0xffffU);
		JALR_BEHIND("lbu", offset, target & 0xffU);
	}
}

int main(void)
{
	test_begin();
	for (uint32_t bits = 0; bits < 4U; bits += 2U) {
		indirect_jumps(bits, 0U);
		indirect_jumps(bits, 0xffU);
		indirect_jumps(bits | 0x02000000U, 0xffU);
		indirect_jumps(bits | 0x00020200U, 0U);
	}
	return test_end();
}
