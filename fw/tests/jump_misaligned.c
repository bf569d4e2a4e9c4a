/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: without C, a jump or taken branch to an address that is not word-aligned traps and writes no link register
config: [mcu-clint-m]
engines: [rtl]
qemu: its mtval is not the target
expect: |
  PASS
*/
#include "test.h"

#define LINK 0x5a5a5a5aU

/* Encodings, because the assembler refuses such targets. */
int main(void)
{
	test_begin();

	uint32_t pc;
	register uint32_t link __asm__("t0") = LINK;

	__asm__ volatile("la %0, 1f\n"
			 "1:\t.word 0x006002ef" /* jal t0, . + 6 */
			 : "=&r"(pc), "+r"(link)
			 :
			 : "memory");
	uint32_t written = link; /* t0 changes in calls */

	CHECK_TRAP(MCAUSE_FETCH_MISALIGNED, pc, pc + 6U);
	CHECK_EQ(written, LINK);
	__asm__ volatile("la %0, 1f\n"
			 "1:\t.word 0x00000363" /* beq x0, x0, . + 6 */
			 : "=&r"(pc)
			 :
			 : "memory");
	CHECK_TRAP(MCAUSE_FETCH_MISALIGNED, pc, pc + 6U);
	__asm__ volatile("la %0, 1f\n"
			 "1:\t.word 0xfe000fe3" /* beq x0, x0, . - 2 */
			 : "=&r"(pc)
			 :
			 : "memory");
	CHECK_TRAP(MCAUSE_FETCH_MISALIGNED, pc, pc - 2U);
	__asm__ volatile(".word 0x00001363" : : : "memory"); /* bne x0, x0, . + 6 */
	CHECK_NO_TRAP();
	return test_end();
}
