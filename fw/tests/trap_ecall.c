/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: ecall and ebreak from machine and user mode, 16-bit ebreak, and the effect of a trap on mstatus
needs: [c]
expect: |
  PASS
*/
#include "test.h"

static volatile uint32_t user_pc[4];

static void user_code(void)
{
	uint32_t pc;

	__asm__ volatile("la %0, 1f\n1:\tecall" : "=&r"(pc));
	user_pc[0] = pc;
	__asm__ volatile("la %0, 1f\n1:\tebreak" : "=&r"(pc));
	user_pc[1] = pc;
}

/* mtval is the address of the breakpoint, or 0 on cores that do not implement it. */
static void check_breakpoint(uint32_t pc)
{
	CHECK(trap_last.mtval == pc || trap_last.mtval == 0U);
	CHECK_TRAP(MCAUSE_BREAKPOINT, pc, trap_last.mtval);
}

int main(void)
{
	uint32_t pc;

	test_begin();

	__asm__ volatile("la %0, 1f\n1:\tecall" : "=&r"(pc) : : "memory");
	CHECK_TRAP(MCAUSE_ECALL_M, pc, 0U);
	CHECK_EQ(trap_last.mstatus & (MSTATUS_MPP | MSTATUS_MPIE | MSTATUS_MIE), MSTATUS_MPP_M);

	csr_set(CSR_MSTATUS, MSTATUS_MIE);
	pc = breakpoint();
	check_breakpoint(pc);
	CHECK_EQ(trap_last.mstatus & (MSTATUS_MPP | MSTATUS_MPIE | MSTATUS_MIE),
		 MSTATUS_MPP_M | MSTATUS_MPIE);
	CHECK_EQ(csr_read(CSR_MSTATUS) & MSTATUS_MIE, MSTATUS_MIE);
	csr_clear(CSR_MSTATUS, MSTATUS_MIE);

	__asm__ volatile("la %0, 1f\n1:\tc.ebreak" : "=&r"(pc) : : "memory");
	check_breakpoint(pc);

	user_call(user_code);
	CHECK_EQ(trap_last.count, 2U);
	CHECK_EQ(trap_last.mcause, MCAUSE_BREAKPOINT);
	CHECK_EQ(trap_last.mepc, user_pc[1]);
	CHECK_EQ(trap_last.mstatus & MSTATUS_MPP, MSTATUS_MPP_U);
	CHECK(user_pc[0] != 0U);
	return test_end();
}
