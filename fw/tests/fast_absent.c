/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: without fastirq neither emret nor mfastirq exist
config: [mcu-clint, mcu-clint-e, mcu-clic, mcu-clic-e]
expect: |
  PASS
*/
#include "test.h"

#define TRY_ILLEGAL(insn)                                                                          \
	do {                                                                                       \
		register uint32_t value_ __asm__("a0") = 0x5a5a5a5aU;                              \
		uint32_t pc_;                                                                      \
		__asm__ volatile("la %1, 1f\n1:\t" insn : "+r"(value_), "=&r"(pc_) : : "memory");  \
		CHECK_TRAP(MCAUSE_ILLEGAL_INSTRUCTION, pc_, *(const uint32_t *)pc_);               \
		CHECK_EQ(value_, 0x5a5a5a5aU);                                                     \
	} while (0)

int main(void)
{
	test_begin();
	TRY_ILLEGAL(TRAPEZE_EMRET);
	TRY_ILLEGAL("csrr %0, 0x7c0");
	TRY_ILLEGAL("csrw 0x7c0, %0");
	TRY_ILLEGAL("csrrwi %0, 0x7c0, 1");
	TRY_ILLEGAL("csrrs %0, 0x7c0, x0");
	TRY_ILLEGAL("csrr %0, 0x7c1");
	TRY_ILLEGAL("csrw 0x7c1, %0");
	return test_end();
}
