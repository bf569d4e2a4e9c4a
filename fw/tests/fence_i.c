/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: self-modifying code is seen after fence.i, also in instructions already fetched
needs: [c]
expect: |
  PASS
*/
#include "test.h"

/* Writes @p instruction over the instruction directly behind the store. The old one, which adds 1 to a0, has already
 * been fetched.
 */
__attribute__((noinline)) static uint32_t run_patched(uint32_t instruction)
{
	register uint32_t a0 __asm__("a0") = 0U;

	__asm__ volatile(".option push\n\t"
			 ".option norvc\n\t"
			 "la t0, 1f\n\t"
			 "sw %1, 0(t0)\n\t"
			 "fence.i\n"
			 "1:\taddi a0, a0, 1\n\t"
			 ".option pop"
			 : "+r"(a0)
			 : "r"(instruction)
			 : "memory", "t0");
	return a0;
}

static uint16_t code[4] __attribute__((aligned(4)));

__attribute__((noinline)) static uint32_t call_code(void)
{
	register uint32_t a0 __asm__("a0") = 0U;

	__asm__ volatile("jalr %1" : "+r"(a0) : "r"(code) : "memory", "ra");
	return a0;
}

int main(void)
{
	test_begin();

	for (uint32_t i = 1; i < 20U; i++) {
		uint32_t addi = 0x00050513U | (i << 20); /* addi a0, a0, i */
		CHECK_EQ(run_patched(addi), i);
		code[0] = (uint16_t)addi;
		code[1] = (uint16_t)(addi >> 16);
		code[2] = 0x8082; /* ret */
		fetch_fence();
		CHECK_EQ(call_code(), i);
		/* Two 16-bit instructions in place of the 32-bit one. */
		code[0] = (uint16_t)(0x4501U | (i << 2)); /* c.li a0, i */
		code[1] = 0x0505;                         /* c.addi a0, 1 */
		fetch_fence();
		CHECK_EQ(call_code(), i + 1U);
	}
	CHECK_NO_TRAP();
	return test_end();
}
