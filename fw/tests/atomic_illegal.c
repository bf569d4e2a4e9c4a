/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: with A the encodings that the extension leaves free are illegal
config: [mcu-clint-a, mcu-fastirq-a]
expect: |
  PASS
*/
#include "test.h"

static volatile uint32_t word[2] __attribute__((aligned(8)));
static uint32_t code[2];

/* Checks that the instruction, with a0 as rd and rs1, is illegal. */
static void check_illegal(uint32_t encoding)
{
	code[0] = encoding | (10U << 15) | (10U << 7);
	code[1] = 0x00008067U; /* ret */
	fetch_fence();
	__asm__ volatile("mv a0, %0\n\t"
			 "jalr %1"
			 :
			 : "r"(word), "r"(code)
			 : TEST_CALL_CLOBBERS);
	CHECK_TRAP(MCAUSE_ILLEGAL_INSTRUCTION, code, code[0]);
}

int main(void)
{
	/* funct5 values in use: amoadd, amoswap, lr, sc, amoxor, amoor, amoand, amomin, amomax, amominu, amomaxu */
	const uint32_t used = 0x1111111fU;

	test_begin();
	for (uint32_t funct5 = 0; funct5 < 32U; funct5++) {
		for (uint32_t width = 0; width < 8U; width++) {
			/* Widths other than a word: illegal with every funct5. */
			if (width != 2U || ((used >> funct5) & 1U) == 0U) {
				for (uint32_t order = 0; order < 4U; order++) {
					check_illegal(0x2fU | (funct5 << 27) | (order << 25) |
						      (width << 12));
				}
			}
		}
	}
	/* lr.w with each rs2 but x0 */
	for (uint32_t rs2 = 1; rs2 < 32U; rs2++) {
		check_illegal(0x1000202fU | (rs2 << 20));
	}
	CHECK_EQ(word[0] | word[1], 0U);
	return test_end();
}
