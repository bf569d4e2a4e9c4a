/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: CSRs that do not exist, writes to read-only CSRs, machine CSRs and mret from user mode
expect: |
  PASS
*/
#include "test.h"

/* Executes one CSR instruction and checks that it is illegal, reports its encoding and keeps rd. */
#define TRY_ILLEGAL(insn)                                                                          \
	do {                                                                                       \
		uint32_t value_ = 0x5a5a5a5aU;                                                     \
		uint32_t pc_;                                                                      \
		__asm__ volatile("la %1, 1f\n1:\t" insn : "+&r"(value_), "=&r"(pc_) : : "memory"); \
		CHECK_TRAP(MCAUSE_ILLEGAL_INSTRUCTION, pc_, *(const uint32_t *)pc_);               \
		CHECK_EQ(value_, 0x5a5a5a5aU);                                                     \
	} while (0)

static void user_attempts(void)
{
	/* Machine CSRs, read only or not, by every kind of access. */
	TRY_ILLEGAL("csrr %0, mstatus");
	TRY_ILLEGAL("csrr %0, mhartid");
	TRY_ILLEGAL("csrw mscratch, %0");
	TRY_ILLEGAL("csrrs %0, mie, x0");
	TRY_ILLEGAL("csrrsi %0, mip, 0");
	TRY_ILLEGAL("csrrc %0, mtvec, x0");
	TRY_ILLEGAL("csrr %0, mcycle");
	TRY_ILLEGAL("csrr %0, 0xbff");
	TRY_ILLEGAL("mret");
	/* Counters that machine mode did not allow (mcounteren is zero). */
	TRY_ILLEGAL("csrr %0, cycle");
	TRY_ILLEGAL("csrr %0, instret");
	TRY_ILLEGAL("csrr %0, cycleh");
	TRY_ILLEGAL("csrr %0, instreth");
}

int main(void)
{
	test_begin();

	/* No such CSR: user, supervisor, hypervisor, debug, custom, floating point. */
	TRY_ILLEGAL("csrr %0, 0x000");
	TRY_ILLEGAL("csrr %0, fflags");
	TRY_ILLEGAL("csrr %0, fcsr");
	TRY_ILLEGAL("csrw fcsr, %0");
	TRY_ILLEGAL("csrr %0, sstatus");
	TRY_ILLEGAL("csrr %0, satp");
	TRY_ILLEGAL("csrw stvec, %0");
	TRY_ILLEGAL("csrr %0, 0x200");
	TRY_ILLEGAL("csrr %0, 0x7b0");
	TRY_ILLEGAL("csrr %0, 0x7c2");
	TRY_ILLEGAL("csrr %0, 0x800");
	TRY_ILLEGAL("csrr %0, 0xb01");
	TRY_ILLEGAL("csrr %0, 0xfff");
	TRY_ILLEGAL("csrrsi %0, 0x5c0, 1");

	/* Read-only CSRs: only forms that write are illegal. */
	TRY_ILLEGAL("csrw mhartid, %0");
	TRY_ILLEGAL("csrw mvendorid, x0");
	TRY_ILLEGAL("csrrw %0, marchid, x0");
	TRY_ILLEGAL("csrrwi %0, mimpid, 0");
	TRY_ILLEGAL("csrrs %0, mhartid, sp");
	TRY_ILLEGAL("csrrsi %0, mhartid, 1");
	TRY_ILLEGAL("csrrc %0, mhartid, sp");
	TRY_ILLEGAL("csrrci %0, mhartid, 31");
	TRY_ILLEGAL("csrw cycle, x0");
	TRY_ILLEGAL("csrwi instreth, 1");
	uint32_t value;

	__asm__ volatile("csrrs %0, mhartid, x0" : "=r"(value));
	__asm__ volatile("csrrc %0, mhartid, x0" : "=r"(value));
	__asm__ volatile("csrrsi %0, mhartid, 0" : "=r"(value));
	__asm__ volatile("csrrci %0, mhartid, 0" : "=r"(value));
	CHECK_NO_TRAP();
	CHECK_EQ(value, 0U);

	csr_write(CSR_MCOUNTEREN, 0U);
	user_call(user_attempts);
	return test_end();
}
