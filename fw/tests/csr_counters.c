/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: mcycle and minstret count, and user mode can read them if mcounteren allows it
needs: [m, c]
expect: |
  PASS
*/
#include "test.h"

static volatile uint32_t user_seen[4];

static void user_reads(void)
{
	user_seen[0] = csr_read(CSR_CYCLE);
	user_seen[1] = csr_read(CSR_INSTRET);
	user_seen[2] = csr_read(CSR_CYCLEH);
	user_seen[3] = csr_read(CSR_INSTRETH);
}

static void check_minstret(void)
{
	uint32_t before;
	uint32_t after;

	/* The difference of two reads is the number of instructions between them, one of the reads included. */
	__asm__ volatile("csrr %0, minstret\n\t"
			 "csrr %1, minstret"
			 : "=&r"(before), "=r"(after));
	CHECK_EQ(after - before, 1U);
	__asm__ volatile("csrr %0, minstret\n\t"
			 "c.nop\n\t"
			 "addi x0, x0, 0\n\t"
			 "j 1f\n\t"
			 "ebreak\n"
			 "1:\n\t"
			 "beqz zero, 2f\n\t"
			 "ebreak\n"
			 "2:\n\t"
			 "div %1, %0, %0\n\t"
			 "lw %1, (sp)\n\t"
			 "csrr %1, minstret"
			 : "=&r"(before), "=&r"(after));
	CHECK_EQ(after - before, 7U);

	/* ecall and ebreak themselves are not counted. The handler executes the same instructions for both. */
	uint32_t with_ecall;
	uint32_t with_ebreak;

	__asm__ volatile("csrr %0, minstret\n\t"
			 "ecall\n\t"
			 "csrr %1, minstret"
			 : "=&r"(before), "=&r"(after)
			 :
			 : "memory");
	with_ecall = after - before;
	__asm__ volatile(".option push\n\t"
			 ".option norvc\n\t"
			 "csrr %0, minstret\n\t"
			 "ebreak\n\t"
			 "csrr %1, minstret\n\t"
			 ".option pop"
			 : "=&r"(before), "=&r"(after)
			 :
			 : "memory");
	with_ebreak = after - before;
	CHECK_EQ(with_ecall, with_ebreak);
	CHECK_EQ(trap_last.count, 2U);
	trap_clear();
}

int main(void)
{
	test_begin();

	uint32_t cycles = csr_read(CSR_MCYCLE);
	uint32_t instructions = csr_read(CSR_MINSTRET);

	CHECK(csr_read(CSR_MCYCLE) > cycles);
	CHECK(csr_read(CSR_MINSTRET) > instructions);
	check_minstret();

	/* User mode: each counter by its bit in mcounteren. */
	csr_write(CSR_MCOUNTEREN, MCOUNTEREN_CY | MCOUNTEREN_IR);
	user_call(user_reads);
	CHECK_NO_TRAP();
	CHECK(user_seen[0] != 0U);
	CHECK(user_seen[1] != 0U);
	CHECK_EQ(user_seen[2], 0U);
	CHECK_EQ(user_seen[3], 0U);
	csr_write(CSR_MCOUNTEREN, MCOUNTEREN_CY);
	user_call(user_reads);
	CHECK_EQ(trap_last.count, 2U); /* instret, instreth */
	CHECK_EQ(trap_last.mcause, MCAUSE_ILLEGAL_INSTRUCTION);
	trap_clear();
	csr_write(CSR_MCOUNTEREN, MCOUNTEREN_IR);
	user_call(user_reads);
	CHECK_EQ(trap_last.count, 2U); /* cycle, cycleh */
	trap_clear();
	csr_write(CSR_MCOUNTEREN, 0U);
	return test_end();
}
