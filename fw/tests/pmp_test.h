/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief For the tests of memory protection: rows, the rules of the specification for them, and accesses with the
 * privilege of user mode.
 *
 * Rows 0 to 3 are tested; row 15 can open everything to user mode.
 */
#ifndef PMP_TEST_H_
#define PMP_TEST_H_

#include "test.h"

/** A byte of pmpcfg. */
#define ROW_R     ((unsigned int)PMPCFG_R)
#define ROW_W     ((unsigned int)PMPCFG_W)
#define ROW_X     ((unsigned int)PMPCFG_X)
#define ROW_RWX   (ROW_R | ROW_W | ROW_X)
#define ROW_TOR   ((unsigned int)PMPCFG_A_TOR)
#define ROW_NA4   ((unsigned int)PMPCFG_A_NA4)
#define ROW_NAPOT ((unsigned int)PMPCFG_A_NAPOT)
#define ROW_MODE  ((unsigned int)PMPCFG_A)
#define ROW_LOCK  ((unsigned int)PMPCFG_L)

#define ROWS 4U

/** pmpaddr of a NAPOT region of @p size bytes, 8 at least. */
#define NAPOT(base, size) (((base) >> 2) | (((size) >> 3) - 1U))

/** A set of rows: their configuration bytes and their addresses. */
struct rows {
	uint8_t cfg[ROWS];
	uint32_t addr[ROWS];
};

/** Opens everything to user mode by row 15, or closes it. */
__attribute__((unused)) static void open_all(bool open)
{
	csr_write(CSR_PMPADDR0 + 15, UINT32_MAX);
	csr_write(CSR_PMPCFG0 + 3, open ? (ROW_NAPOT | ROW_RWX) << 24 : 0U);
}

/** Bounds of a row: its first byte, and the first byte behind it. By the specification, with 34 bits. */
static inline void row_bounds(const struct rows *rows, unsigned int row, uint64_t *from,
			      uint64_t *to)
{
	uint64_t addr = rows->addr[row];

	*from = 0U;
	*to = 0U;
	switch (rows->cfg[row] & ROW_MODE) {
	case ROW_TOR:
		*from = row == 0U ? 0U : (uint64_t)rows->addr[row - 1U] << 2;
		*to = addr << 2;
		break;
	case ROW_NA4:
		*from = addr << 2;
		*to = *from + 4U;
		break;
	case ROW_NAPOT: {
		uint64_t size = 8U;

		while (addr & 1U) {
			addr >>= 1;
			size <<= 1;
		}
		*from = (addr >> 1) * size;
		*to = *from + size;
		break;
	}
	default:
		break;
	}
}

/** Bounds of the rows in effect. */
__attribute__((unused)) static uint64_t row_from[ROWS];
__attribute__((unused)) static uint64_t row_to[ROWS];

/** Writes rows 0 to 3. All four are off while the addresses are written. */
__attribute__((unused)) static void rows_write(const struct rows *rows)
{
	csr_write(CSR_PMPCFG0, 0U);
	csr_write(CSR_PMPADDR0, rows->addr[0]);
	csr_write(CSR_PMPADDR0 + 1, rows->addr[1]);
	csr_write(CSR_PMPADDR0 + 2, rows->addr[2]);
	csr_write(CSR_PMPADDR0 + 3, rows->addr[3]);
	for (unsigned int row = 0U; row < ROWS; row++) {
		row_bounds(rows, row, &row_from[row], &row_to[row]);
	}
	csr_write(CSR_PMPCFG0, rows->cfg[0] | (uint32_t)rows->cfg[1] << 8 |
				   (uint32_t)rows->cfg[2] << 16 | (uint32_t)rows->cfg[3] << 24);
}

/** Whether user mode may make an access, with the rows that are written (3.7.1, "Priority and Matching Logic"). */
__attribute__((unused)) static bool user_may(const struct rows *rows, uint32_t at, uint32_t size,
					     uint8_t kind, bool open)
{
	for (unsigned int row = 0U; row < ROWS; row++) {
		uint64_t from = row_from[row];
		uint64_t to = row_to[row];

		if (from < to && at < to && (uint64_t)at + size > from) {
			return at >= from && (uint64_t)at + size <= to &&
			       (rows->cfg[row] & kind) == kind;
		}
	}
	return open;
}

/**
 * One access from machine mode with the privilege of user mode, by MPRV around this instruction only.
 * @return the loaded register
 */
#define AS_USER_LOAD(insn, at, value)                                                              \
	__asm__ volatile("csrs mstatus, %1\n\t" insn " %0, 0(%2)\n\t"                              \
			 "csrc mstatus, %1"                                                        \
			 : "+&r"(value)                                                            \
			 : "r"(MSTATUS_MPRV), "r"(at)                                              \
			 : "memory")

__attribute__((unused)) static uint32_t as_user_load(uint32_t at, uint32_t size)
{
	uint32_t value = 0x5a5a1234U;

	csr_clear(CSR_MSTATUS, MSTATUS_MPP);
	if (size == 1U) {
		AS_USER_LOAD("lbu", at, value);
	} else if (size == 2U) {
		AS_USER_LOAD("lhu", at, value);
	} else {
		AS_USER_LOAD("lw", at, value);
	}
	return value;
}

__attribute__((unused)) static void as_user_store(uint32_t at, uint32_t size, uint32_t value)
{
	csr_clear(CSR_MSTATUS, MSTATUS_MPP);
	if (size == 1U) {
		AS_USER_LOAD("sb", at, value);
	} else if (size == 2U) {
		AS_USER_LOAD("sh", at, value);
	} else {
		AS_USER_LOAD("sw", at, value);
	}
}

/** Runs the code at @p at in user mode. It must return at once, or be refused. */
__attribute__((unused)) static void user_run(uint32_t at)
{
	trap_resume = test_user_exit;
	user_call((void (*)(void))at);
	trap_resume = 0U;
}

#endif /* PMP_TEST_H_ */
