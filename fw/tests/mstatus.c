/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the mstatus stack of interrupt enable and mode through traps and mret; MPRV; TW
expect: |
  PASS
*/
#include "test.h"

#define STACK (MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPP)

/* Executes mret to the next instruction with the given mstatus and returns mstatus after it. */
static uint32_t mret_with(uint32_t mstatus)
{
	uint32_t after;

	csr_write(CSR_MSTATUS, mstatus);
	__asm__ volatile("la %0, 1f\n\t"
			 "csrw mepc, %0\n\t"
			 "mret\n\t"
			 "ebreak\n"
			 "1:\n\t"
			 "csrr %0, mstatus"
			 : "=&r"(after)
			 :
			 : "memory");
	return after;
}

static volatile uint32_t user_value;

static void user_store(void)
{
	user_value = 1U;
}

static void user_wfi(void)
{
	__asm__ volatile("wfi");
}

int main(void)
{
	test_begin();

	CHECK_EQ(mret_with(MSTATUS_MPP_M) & STACK, MSTATUS_MPIE);
	CHECK_EQ(mret_with(MSTATUS_MPP_M | MSTATUS_MPIE) & STACK, MSTATUS_MPIE | MSTATUS_MIE);
	CHECK_EQ(mret_with(MSTATUS_MPP_M | MSTATUS_MIE) & STACK, MSTATUS_MPIE);
	csr_write(CSR_MSTATUS, 0U);

	/* Entry: MPIE takes MIE, MIE goes off, MPP takes the mode. */
	csr_write(CSR_MSTATUS, MSTATUS_MIE);
	__asm__ volatile("ecall" : : : "memory");
	CHECK_EQ(trap_last.mstatus & STACK, MSTATUS_MPIE | MSTATUS_MPP_M);
	csr_write(CSR_MSTATUS, MSTATUS_MPIE);
	__asm__ volatile("ecall" : : : "memory");
	CHECK_EQ(trap_last.mstatus & STACK, MSTATUS_MPP_M);
	trap_clear();

	/* MPRV survives a return to machine mode; mstatus_mprv.c tests a return to user mode. */
	CHECK_EQ(mret_with(MSTATUS_MPRV | MSTATUS_MPP_M) & MSTATUS_MPRV, MSTATUS_MPRV);
	user_call(user_store);
	CHECK_EQ(user_value, 1U);

	/* With MPRV and MPP = U, loads and stores have the privilege of user mode. Here user mode may access
	 * everything.
	 */
	csr_write(CSR_MSTATUS, MSTATUS_MPRV);
	user_value = 2U;
	CHECK_EQ(user_value, 2U);
	csr_write(CSR_MSTATUS, 0U);

	/* TW: wfi in user mode is illegal; in machine mode it is not. */
	CHECK_NO_TRAP();
	csr_write(CSR_MSTATUS, MSTATUS_TW);
	user_call(user_wfi);
	CHECK_EQ(trap_last.count, 1U);
	CHECK_EQ(trap_last.mcause, MCAUSE_ILLEGAL_INSTRUCTION);
	CHECK_EQ(trap_last.mtval, 0x10500073U);
	CHECK_EQ(trap_last.mstatus & MSTATUS_MPP, MSTATUS_MPP_U);
	csr_write(CSR_MSTATUS, 0U);
	return test_end();
}
