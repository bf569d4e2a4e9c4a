/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: mtval of a breakpoint is 0, in both modes and for both lengths, as docs/core.md says
needs: [c]
engines: [rtl]
qemu: it writes the address of the breakpoint
expect: |
  PASS
*/
#include "test.h"

static void user_breakpoint(void)
{
	__asm__ volatile("ebreak");
}

int main(void)
{
	uint32_t pc;

	test_begin();

	/* mtval of a breakpoint is 0. Its address is in mepc. */
	pc = breakpoint();
	CHECK_TRAP(MCAUSE_BREAKPOINT, pc, 0U);
	__asm__ volatile("la %0, 1f\n1:\tc.ebreak" : "=&r"(pc) : : "memory");
	CHECK_TRAP(MCAUSE_BREAKPOINT, pc, 0U);
	user_call(user_breakpoint);
	CHECK_EQ(trap_last.mcause, MCAUSE_BREAKPOINT);
	CHECK_EQ(trap_last.mtval, 0U);
	return test_end();
}
