/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: fetch faults by jump, call, return and branch; jalr clears bit 0
needs: [c]
expect: |
  PASS
*/
#include "test.h"

#define HOLE 0x90000000U

static volatile uint32_t reached;

static void odd_target(void)
{
	reached++;
}

int main(void)
{
	test_begin();

	jump_into(HOLE);
	CHECK_TRAP(MCAUSE_FETCH_FAULT, HOLE, HOLE);
	jump_into(HOLE + 2U);
	CHECK_TRAP(MCAUSE_FETCH_FAULT, HOLE + 2U, HOLE + 2U);
	jump_into(HOLE + 5U);
	CHECK_TRAP(MCAUSE_FETCH_FAULT, HOLE + 4U, HOLE + 4U);
	jump_into(0xfffffffeU);
	CHECK_TRAP(MCAUSE_FETCH_FAULT, 0xfffffffeU, 0xfffffffeU);

	/* mret into a hole: the fetch there faults, in the mode to which mret returns. */
	uint32_t resume;

	csr_set(CSR_MSTATUS, MSTATUS_MPP_M);
	__asm__ volatile("la %0, 1f\n\t"
			 "sw %0, (%2)\n\t"
			 "csrw mepc, %1\n\t"
			 "mret\n"
			 "1:"
			 : "=&r"(resume)
			 : "r"(HOLE + 8U), "r"(&trap_resume)
			 : "memory");
	CHECK_TRAP(MCAUSE_FETCH_FAULT, HOLE + 8U, HOLE + 8U);
	CHECK_EQ(trap_last.mstatus & MSTATUS_MPP, MSTATUS_MPP_M);

	call_address((uint32_t)odd_target | 1U);
	CHECK_EQ(reached, 1U);
	CHECK_NO_TRAP();
	return test_end();
}
