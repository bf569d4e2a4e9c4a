/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the sixteen rules of Smepmp for both modes, accesses that match no row, and the bits of mseccfg that cannot
  be cleared
config: [mcu-user, mcu-user-e]
engines: [rtl]
qemu: the configurations have no CLINT
expect: |
  PASS
*/
#include <trapeze/map.h>

#include "pmp_test.h"

static volatile uint32_t words[16] __attribute__((aligned(64)));
#define AT ((uint32_t)words + 32U)

/* Smepmp 1.0, table of chapter 2: accesses that the four bits L, R, W, X of a row allow with MML. */
static const struct {
	const char *machine;
	const char *user;
} rules[] = {
    {"---", "---"}, {"---", "--x"}, {"rw-", "r--"}, {"rw-", "rw-"}, /* 0: L = 0, R = 0 */
    {"---", "r--"}, {"---", "r-x"}, {"---", "rw-"}, {"---", "rwx"}, /* 4: L = 0, R = 1 */
    {"---", "---"}, {"--x", "---"}, {"--x", "--x"}, {"r-x", "--x"}, /* 8: L = 1, R = 0 */
    {"r--", "---"}, {"r-x", "---"}, {"rw-", "---"}, {"r--", "r--"}, /* 12: L = 1, R = 1 */
};

static void nothing(void)
{
}

static uint32_t cfg_of(uint32_t rule)
{
	return (rule & 8U ? ROW_LOCK : 0U) | (rule & 4U ? ROW_R : 0U) | (rule & 2U ? ROW_W : 0U) |
	       (rule & 1U ? ROW_X : 0U);
}

/* Writes row 0, without the other rows of pmpcfg0. */
static void row_0(uint32_t cfg)
{
	csr_clear(CSR_PMPCFG0, 0xffU);
	csr_set(CSR_PMPCFG0, cfg);
}

static void check_access(const char *may, uint32_t fault)
{
	CHECK_EQ(trap_last.count, *may == '-' ? 1U : 0U);
	if (*may == '-') {
		CHECK_EQ(trap_last.mcause, fault);
	}
	trap_clear();
}

static void check_rule(uint32_t rule)
{
	uint32_t value = 1U;

	row_0(ROW_NAPOT | cfg_of(rule));
	CHECK_EQ(csr_read(CSR_PMPCFG0) & 0xffU, ROW_NAPOT | cfg_of(rule));
	__asm__ volatile("lw %0, 0(%1)" : "+&r"(value) : "r"(AT) : "memory");
	check_access(&rules[rule].machine[0], MCAUSE_LOAD_FAULT);
	__asm__ volatile("sw %0, 0(%1)" : : "r"(0x80828082U), "r"(AT) : "memory");
	check_access(&rules[rule].machine[1], MCAUSE_STORE_FAULT);
	jump_into(AT);
	check_access(&rules[rule].machine[2], MCAUSE_FETCH_FAULT);
	(void)as_user_load(AT, 4U);
	check_access(&rules[rule].user[0], MCAUSE_LOAD_FAULT);
	as_user_store(AT, 4U, 0x80828082U);
	check_access(&rules[rule].user[1], MCAUSE_STORE_FAULT);
	user_run(AT);
	check_access(&rules[rule].user[2], MCAUSE_FETCH_FAULT);
}

int main(void)
{
	uint32_t value = 0x5a5aU;

	test_begin();
	for (uint32_t k = 0U; k < 16U; k++) {
		words[k] = 0x80828082U; /* c.ret, twice */
	}
	fetch_fence();
	open_all(true);
	user_call(nothing);
	open_all(false);

	/* Row 3, of lower priority than the tested one: code that both modes execute and machine mode reads. Row 7: all
	 * else is machine mode's, to read and write. W without R is legal only with MML, so before that the code is
	 * machine mode's alone.
	 */
	csr_write(CSR_MSECCFG, MSECCFG_RLB);
	csr_write(CSR_PMPADDR0, NAPOT(AT, 8U));
	csr_write(CSR_PMPADDR0 + 3, NAPOT(TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE));
	csr_write(CSR_PMPADDR0 + 7, UINT32_MAX);
	csr_write(CSR_PMPCFG0, (ROW_LOCK | ROW_NAPOT | ROW_R | ROW_X) << 24);
	csr_write(CSR_PMPCFG0 + 1, (ROW_LOCK | ROW_NAPOT | ROW_R | ROW_W) << 24);
	csr_write(CSR_MSECCFG, MSECCFG_RLB | MSECCFG_MML);
	CHECK_EQ(csr_read(CSR_MSECCFG), MSECCFG_RLB | MSECCFG_MML);
	csr_write(CSR_PMPCFG0, (ROW_LOCK | ROW_NAPOT | ROW_W | ROW_X) << 24);
	CHECK_EQ(csr_read(CSR_PMPCFG0), (ROW_LOCK | ROW_NAPOT | ROW_W | ROW_X) << 24);
	CHECK_NO_TRAP();

	for (uint32_t rule = 0U; rule < 16U; rule++) {
		uint32_t before = test_failures;

		check_rule(rule);
		if (test_failures != before) {
			CHECK_EQ(rule, UINT32_MAX); /* reports the number of the rule */
		}
	}
	row_0(0U);
	CHECK_NO_TRAP();

	/* Accesses that match no row: machine mode may read and write, but not execute; with MMWP it may do nothing.
	 * Rows 4 and 6 lie on both sides of the words, row 8 contains the devices.
	 */
	csr_write(CSR_PMPADDR0 + 3, NAPOT(TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE));
	csr_write(CSR_PMPADDR0 + 4, (uint32_t)words >> 2);
	csr_write(CSR_PMPADDR0 + 5, (uint32_t)(words + 16) >> 2);
	csr_write(CSR_PMPADDR0 + 6, UINT32_MAX);
	csr_write(CSR_PMPADDR0 + 8, NAPOT(0U, 0x80000000U));
	csr_write(CSR_PMPCFG0 + 2, ROW_LOCK | ROW_NAPOT | ROW_R | ROW_W);
	csr_set(CSR_PMPCFG0 + 1,
		(ROW_LOCK | ROW_TOR | ROW_R | ROW_W) << 16 | (ROW_LOCK | ROW_TOR | ROW_R | ROW_W));
	csr_clear(CSR_PMPCFG0 + 1, 0xff000000U);
	CHECK_NO_TRAP();
	__asm__ volatile("lw %0, 0(%1)" : "+&r"(value) : "r"(AT) : "memory");
	CHECK_EQ(value, 0x80828082U);
	jump_into(AT);
	CHECK_TRAP(MCAUSE_FETCH_FAULT, AT, AT);
	(void)as_user_load(AT, 4U);
	CHECK_EQ(trap_last.mcause, MCAUSE_LOAD_FAULT);
	trap_clear();
	csr_set(CSR_MSECCFG, MSECCFG_MMWP);
	value = 7U;
	__asm__ volatile("lw %0, 0(%1)" : "+&r"(value) : "r"(AT) : "memory");
	CHECK_EQ(value, 7U);
	CHECK_EQ(trap_last.mcause, MCAUSE_LOAD_FAULT);
	CHECK_EQ(trap_last.mtval, AT);
	trap_clear();

	/* MML and MMWP stay set. RLB, once cleared, stays clear, because rows are locked. */
	csr_write(CSR_MSECCFG, MSECCFG_RLB);
	CHECK_EQ(csr_read(CSR_MSECCFG), MSECCFG_RLB | MSECCFG_MMWP | MSECCFG_MML);
	csr_write(CSR_MSECCFG, 0U);
	CHECK_EQ(csr_read(CSR_MSECCFG), MSECCFG_MMWP | MSECCFG_MML);
	csr_write(CSR_MSECCFG, MSECCFG_RLB);
	CHECK_EQ(csr_read(CSR_MSECCFG), MSECCFG_MMWP | MSECCFG_MML);
	/* No rule can be added that lets machine mode execute. The others can, and those that are locked stay. */
	for (uint32_t rule = 0U; rule < 16U; rule++) {
		uint32_t shift = 8U * (rule % 4U);
		uint32_t cfg = cfg_of(rule) << shift;

		if (rule < 8U || rule == 9U || rule == 10U || rule == 11U || rule == 13U) {
			csr_write(CSR_PMPCFG0 + 3, cfg);
			CHECK_EQ(csr_read(CSR_PMPCFG0 + 3), rule < 8U ? cfg : 0U);
			csr_write(CSR_PMPCFG0 + 3, 0U);
		}
	}
	csr_write(CSR_PMPCFG0 + 3, ROW_LOCK | ROW_R);
	csr_write(CSR_PMPCFG0 + 3, 0U);
	CHECK_EQ(csr_read(CSR_PMPCFG0 + 3), ROW_LOCK | ROW_R);
	CHECK_NO_TRAP();
	return test_end();
}
