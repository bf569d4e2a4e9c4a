/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: no triggers, no CSR time, no address of a breakpoint in mtval, as docs/core.md says
needs: [c]
engines: [rtl]
qemu: it has triggers and the CSR time
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

	/* tselect, tdata1 to 3, tinfo, tcontrol, mcontext; debug mode. */
	CHECK_ILLEGAL("csrr %0, 0x7a0");
	CHECK_ILLEGAL("csrr %0, 0x7a1");
	CHECK_ILLEGAL("csrr %0, 0x7a2");
	CHECK_ILLEGAL("csrr %0, 0x7a3");
	CHECK_ILLEGAL("csrr %0, 0x7a4");
	CHECK_ILLEGAL("csrr %0, 0x7a5");
	CHECK_ILLEGAL("csrr %0, 0x7a8");
	CHECK_ILLEGAL("csrr %0, 0x7b0");

	/* time and timeh: not even where mcounteren would allow them. */
	csr_write(CSR_MCOUNTEREN, UINT32_MAX);
	CHECK_ILLEGAL("csrr %0, 0xc01");
	CHECK_ILLEGAL("csrr %0, 0xc81");

	/* A breakpoint's mtval is 0, in every mode and both lengths: its address is in mepc. */
	pc = breakpoint();
	CHECK_TRAP(MCAUSE_BREAKPOINT, pc, 0U);
	__asm__ volatile("la %0, 1f\n1:\tc.ebreak" : "=&r"(pc) : : "memory");
	CHECK_TRAP(MCAUSE_BREAKPOINT, pc, 0U);
	user_call(user_breakpoint);
	CHECK_EQ(trap_last.mcause, MCAUSE_BREAKPOINT);
	CHECK_EQ(trap_last.mtval, 0U);
	return test_end();
}
