/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: mfastirq keeps its value; emret is legal in machine mode while fastirq is on, and nowhere else
config: [mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no fastirq
expect: |
  PASS
*/
#include "fast_test.h"

static const uint32_t patterns[] = {0U,         1U,          2U,          4U,          0x80000000U,
				    UINT32_MAX, 0xaaaaaaaaU, 0x55555555U, 0x80001234U, 0U};

static void user_attempts(void)
{
	CHECK_ILLEGAL(TRAPEZE_EMRET);
	CHECK_ILLEGAL("csrr %0, 0x7c0");
	CHECK_ILLEGAL("csrw 0x7c0, %0");
	CHECK_ILLEGAL("csrsi 0x7c0, 1");
	CHECK_ILLEGAL("csrr %0, 0x7c1");
	CHECK_ILLEGAL("csrw 0x7c1, %0");
}

static void check_register(void)
{
	uint32_t before = 0U;

	for (uint32_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		CHECK_EQ(csr_swap(CSR_MFASTIRQ, patterns[i]), before);
		CHECK_EQ(csr_read(CSR_MFASTIRQ), patterns[i]);
		before = patterns[i];
	}
	CHECK_EQ(csr_read_set(CSR_MFASTIRQ, 0x12345679U), 0U);
	CHECK_EQ(csr_read_clear(CSR_MFASTIRQ, 0x00045001U), 0x12345679U);
	CHECK_EQ(csr_read_set(CSR_MFASTIRQ, 3U), 0x12300678U);
	CHECK_EQ(csr_read_clear(CSR_MFASTIRQ, 2U), 0x1230067bU);
	CHECK_EQ(csr_swap(CSR_MFASTIRQ, 5U), 0x12300679U);
	CHECK_EQ(csr_swap(CSR_MFASTIRQ, 0U), 5U);
}

/* With fastirq off, and for an exception, no frame is stored. */
static void check_exceptions(uint32_t setting)
{
	csr_write(CSR_MFASTIRQ, setting);
	context_fill(setting);
	context_run(context_end, false);
	CHECK_CONTEXT(context_in);
	CHECK_EQ(context_cause, MCAUSE_MPP | MCAUSE_MPIE | MCAUSE_ECALL_M);
	context_run(context_end, true);
	CHECK_CONTEXT(context_in);
	CHECK_EQ(context_cause, MCAUSE_MPIE | MCAUSE_ECALL_U);
	csr_write(CSR_MFASTIRQ, 0U);
}

int main(void)
{
	uint32_t scratch = csr_read(CSR_MSCRATCH);

	/* Start-up leaves fastirq off. */
	CHECK_EQ(csr_read(CSR_MFASTIRQ), 0U);
	test_begin();
	(void)trap_set_handler(fast_trap_handler);
	check_register();
	check_exceptions(0U);
	check_exceptions(MFASTIRQ_ENABLE);
	check_exceptions(UINT32_MAX);
	CHECK_NO_TRAP();

	/* emret with fastirq off is illegal, whatever the other bits are. */
	uint32_t status = csr_read(CSR_MSTATUS);

	CHECK_ILLEGAL(TRAPEZE_EMRET);
	csr_write(CSR_MFASTIRQ, ~(uint32_t)MFASTIRQ_ENABLE);
	CHECK_ILLEGAL(TRAPEZE_EMRET);
	CHECK_EQ(csr_read(CSR_MFASTIRQ), ~(uint32_t)MFASTIRQ_ENABLE);
	CHECK_EQ(csr_read(CSR_MSTATUS) & MSTATUS_MIE, status & MSTATUS_MIE);
	CHECK_EQ(csr_read(CSR_MINTSTATUS), 0U);

	/* emret in user mode is illegal, with fastirq off and on. */
	user_call(user_attempts);
	csr_write(CSR_MFASTIRQ, MFASTIRQ_ENABLE);
	user_call(user_attempts);
	CHECK_EQ(csr_read(CSR_MFASTIRQ), MFASTIRQ_ENABLE);

	/* With fastirq on, in machine mode: encodings next to emret are still illegal. */
	CHECK_ILLEGAL(".insn i 0x73, 0, a0, x0, -1086");
	CHECK_ILLEGAL(".insn i 0x73, 0, x0, a0, -1086");
	CHECK_ILLEGAL(".insn i 0x73, 0, x0, x0, -1087");
	CHECK_ILLEGAL(".insn i 0x73, 0, x0, x0, -1085");
	CHECK_ILLEGAL(".insn i 0x73, 0, x0, x0, -1054");
	CHECK_ILLEGAL(".insn i 0x73, 0, x0, x0, -62");
	CHECK_ILLEGAL("csrr %0, 0x7c2");
	CHECK_ILLEGAL("csrr %0, 0x7bf");
	CHECK_EQ(csr_read(CSR_MSCRATCH), scratch);
	return test_end();
}
