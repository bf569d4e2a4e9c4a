/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: no triggers, no CSR time, no address of a breakpoint in mtval, as docs/core.md says
engines: [rtl]
qemu: it has triggers and the CSR time
expect: |
  PASS
*/
#include "test.h"

/* Executes one read of a CSR and checks that it is illegal and keeps rd. */
#define TRY_ABSENT(csr)                                                                            \
	do {                                                                                       \
		uint32_t value_ = 0x5a5a5a5aU;                                                     \
		uint32_t pc_;                                                                      \
		__asm__ volatile("la %1, 1f\n1:\tcsrr %0, " #csr                                   \
				 : "+&r"(value_), "=&r"(pc_)                                       \
				 :                                                                 \
				 : "memory");                                                      \
		CHECK_TRAP(MCAUSE_ILLEGAL_INSTRUCTION, pc_, *(const uint32_t *)pc_);               \
		CHECK_EQ(value_, 0x5a5a5a5aU);                                                     \
	} while (0)

static void user_breakpoint(void)
{
	__asm__ volatile("ebreak");
}

int main(void)
{
	uint32_t pc;

	test_begin();

	/* tselect, tdata1 to 3, tinfo, tcontrol, mcontext; debug mode. */
	TRY_ABSENT(0x7a0);
	TRY_ABSENT(0x7a1);
	TRY_ABSENT(0x7a2);
	TRY_ABSENT(0x7a3);
	TRY_ABSENT(0x7a4);
	TRY_ABSENT(0x7a5);
	TRY_ABSENT(0x7a8);
	TRY_ABSENT(0x7b0);

	/* time and timeh: not even where mcounteren would allow them. */
	csr_write(CSR_MCOUNTEREN, UINT32_MAX);
	TRY_ABSENT(0xc01);
	TRY_ABSENT(0xc81);

	/* A breakpoint's mtval is 0, in every mode and both lengths: its address is in mepc. */
	__asm__ volatile(".option push\n\t"
			 ".option norvc\n\t"
			 "la %0, 1f\n1:\tebreak\n\t"
			 ".option pop"
			 : "=&r"(pc)
			 :
			 : "memory");
	CHECK_TRAP(MCAUSE_BREAKPOINT, pc, 0U);
	__asm__ volatile("la %0, 1f\n1:\tc.ebreak" : "=&r"(pc) : : "memory");
	CHECK_TRAP(MCAUSE_BREAKPOINT, pc, 0U);
	user_call(user_breakpoint);
	CHECK_EQ(trap_last.mcause, MCAUSE_BREAKPOINT);
	CHECK_EQ(trap_last.mtval, 0U);
	return test_end();
}
