/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: illegal accesses - to read-only CSRs by forms that write, to machine CSRs and mret from user mode; every_csr
  tests which CSRs exist
expect: |
  PASS
*/
#include "test.h"

static void user_attempts(void)
{
	/* From user mode: machine CSRs, read-only or not, by every kind of access. */
	CHECK_ILLEGAL("csrr %0, mstatus");
	CHECK_ILLEGAL("csrr %0, mhartid");
	CHECK_ILLEGAL("csrw mscratch, %0");
	CHECK_ILLEGAL("csrrs %0, mie, x0");
	CHECK_ILLEGAL("csrrsi %0, mip, 0");
	CHECK_ILLEGAL("csrrc %0, mtvec, x0");
	CHECK_ILLEGAL("csrr %0, mcycle");
	CHECK_ILLEGAL("csrr %0, 0xbff");
	CHECK_ILLEGAL("mret");
	/* Counters that mcounteren, which is zero, does not open to user mode. */
	CHECK_ILLEGAL("csrr %0, cycle");
	CHECK_ILLEGAL("csrr %0, instret");
	CHECK_ILLEGAL("csrr %0, cycleh");
	CHECK_ILLEGAL("csrr %0, instreth");
}

int main(void)
{
	test_begin();

	/* Read-only CSRs: the forms that write are illegal, the others are not. */
	CHECK_ILLEGAL("csrw mhartid, %0");
	CHECK_ILLEGAL("csrw mvendorid, x0");
	CHECK_ILLEGAL("csrrw %0, marchid, x0");
	CHECK_ILLEGAL("csrrwi %0, mimpid, 0");
	CHECK_ILLEGAL("csrrs %0, mhartid, sp");
	CHECK_ILLEGAL("csrrsi %0, mhartid, 1");
	CHECK_ILLEGAL("csrrc %0, mhartid, sp");
	CHECK_ILLEGAL("csrrci %0, mhartid, 31");
	CHECK_ILLEGAL("csrw cycle, x0");
	CHECK_ILLEGAL("csrwi instreth, 1");
	uint32_t value;

	__asm__ volatile("csrrs %0, mhartid, x0" : "=r"(value));
	__asm__ volatile("csrrc %0, mhartid, x0" : "=r"(value));
	__asm__ volatile("csrrsi %0, mhartid, 0" : "=r"(value));
	__asm__ volatile("csrrci %0, mhartid, 0" : "=r"(value));
	CHECK_NO_TRAP();
	CHECK_EQ(value, TEST_HART_ID);

	csr_write(CSR_MCOUNTEREN, 0U);
	user_call(user_attempts);
	return test_end();
}
