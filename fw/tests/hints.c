/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: HINT encodings, markers included, and unusual fences change nothing and do not trap
needs: [m, c]
expect: |
  PASS
*/
#include <trapeze/marker.h>

#include "test.h"

int main(void)
{
	uint32_t before;
	uint32_t after;

	test_begin();
	__asm__ volatile("csrr %0, minstret\n\t"
			 "slti x0, x0, 5\n\t"
			 "slti x0, x0, 2047\n\t"
			 "addi x0, sp, 1\n\t"
			 "add x0, sp, sp\n\t"
			 "lui x0, 0x12345\n\t"
			 "auipc x0, 1\n\t"
			 "sltu x0, x0, sp\n\t"
			 "mul x0, sp, sp\n\t"
			 "div x0, sp, x0\n\t"
			 "lw x0, 0(sp)\n\t"
			 ".2byte 0x0005\n\t" /* c.nop with an immediate */
			 ".2byte 0x0281\n\t" /* c.addi t0, 0 */
			 ".2byte 0x4015\n\t" /* c.li x0, 5 */
			 ".2byte 0x6015\n\t" /* c.lui x0, 5 */
			 ".2byte 0x800a\n\t" /* c.mv x0, sp */
			 ".2byte 0x900a\n\t" /* c.add x0, sp */
			 ".2byte 0x0016\n\t" /* c.slli x0, 5 */
			 ".2byte 0x0282\n\t" /* c.slli t0, 0 */
			 "fence rw, rw\n\t"
			 ".4byte 0x8330000f\n\t" /* fence.tso */
			 ".4byte 0x0100000f\n\t" /* pause */
			 ".4byte 0xfff7878f\n\t" /* fence with every reserved field set */
			 "csrr %1, minstret"
			 : "=&r"(before), "=&r"(after)
			 :
			 : "memory");
	CHECK_EQ(after - before, 23U);
	TRAPEZE_MARKER(4);
	TRAPEZE_MARKER(2047);

	uint32_t zero;

	__asm__ volatile("addi x0, x0, 7\n\tmv %0, x0" : "=r"(zero));
	CHECK_EQ(zero, 0U);
	__asm__ volatile("lw x0, 0(%1)\n\tmv %0, x0" : "=r"(zero) : "r"(&before) : "memory");
	CHECK_EQ(zero, 0U);
	CHECK_NO_TRAP();
	return test_end();
}
