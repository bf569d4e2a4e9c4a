/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Rows of memory protection, one after the other: for code that says itself which row a region takes, such as the
 * monitors. Programs use trapeze/pmp.h.
 *
 * Everything here is inline, because a monitor uses no code of its program. Source: RISC-V Privileged Architecture, 3.7.
 */
#ifndef TRAPEZE_PMP_ROWS_H_
#define TRAPEZE_PMP_ROWS_H_

#include <stdint.h>

#include <trapeze/csr.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Rows that exist; those that are not built ignore writes. */
#define PMP_ROWS 16U

/** Lower bits of an address, which a row does not hold. */
#define PMP_ROW_SHIFT 2U

/** What is to be written. It begins as zeros: all rows are off. */
struct pmp_rows {
	csr_value_t address[PMP_ROWS];                      /**< pmpaddr */
	csr_value_t config[PMP_ROWS / sizeof(csr_value_t)]; /**< pmpcfg, one byte for each row */
	csr_value_t used;
};

/* A number of a CSR is part of an instruction, so there is one for each. */
#define PMP_FOR_EACH_ROW(DO)                                                                       \
	DO(0)                                                                                      \
	DO(1)                                                                                      \
	DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
/* Numbers of the registers pmpcfg; there are no odd ones of 64 bits. */
#if __riscv_xlen == 64
#define PMP_FOR_EACH_CONFIG(DO) DO(0) DO(2)
#else
#define PMP_FOR_EACH_CONFIG(DO) DO(0) DO(1) DO(2) DO(3)
#endif

/** The value of a pmpcfg, by its number. */
#define PMP_CONFIG(rows, n) ((rows)->config[4U * (n) / sizeof(csr_value_t)])

/** The byte of pmpcfg of a row. */
static inline unsigned int pmp_row_config(const struct pmp_rows *rows, csr_value_t row)
{
	return (rows->config[row / sizeof(csr_value_t)] >> (row % sizeof(csr_value_t) * 8U)) &
	       0xffU;
}

/** The next row. @p words is an address by words, as pmpaddr has it. The caller knows that there is room. */
static inline void pmp_row_add(struct pmp_rows *rows, csr_value_t words, unsigned int config)
{
	csr_value_t row = rows->used;

	rows->address[row] = words;
	rows->config[row / sizeof(csr_value_t)] |= (csr_value_t)config
						   << (row % sizeof(csr_value_t) * 8U);
	rows->used = row + 1U;
}

/** The next row, for a region whose size is a power of two from 4 on that divides its address. */
static inline void pmp_row_block(struct pmp_rows *rows, uintptr_t base, csr_value_t size,
				 unsigned int access)
{
	csr_value_t ones = (size >> (PMP_ROW_SHIFT + 1U)) - 1U;

	if (size == 1U << PMP_ROW_SHIFT) {
		pmp_row_add(rows, base >> PMP_ROW_SHIFT, PMPCFG_A_NA4 | access);
	} else {
		pmp_row_add(rows, base >> PMP_ROW_SHIFT | ones, PMPCFG_A_NAPOT | access);
	}
}

/** The next row, which is off: the row behind it, by pmp_row_up_to(), begins at this address. */
static inline void pmp_row_begin(struct pmp_rows *rows, uintptr_t address)
{
	pmp_row_add(rows, address >> PMP_ROW_SHIFT, PMPCFG_A_OFF);
}

/** The next row, for the bytes from where the row before ends up to @p end. */
static inline void pmp_row_up_to(struct pmp_rows *rows, uintptr_t end, unsigned int access)
{
	pmp_row_add(rows, end >> PMP_ROW_SHIFT, PMPCFG_A_TOR | access);
}

#define PMP_WRITE_ADDRESS_(n) csr_write(CSR_PMPADDR0 + (n), rows->address[n]);
#define PMP_WRITE_CONFIG_(n)  csr_write(CSR_PMPCFG0 + (n), PMP_CONFIG(rows, n));

/** Writes all rows: addresses, then configurations. In between, old configurations stand beside new addresses. */
static inline void pmp_rows_write(const struct pmp_rows *rows)
{
	PMP_FOR_EACH_ROW(PMP_WRITE_ADDRESS_)
	PMP_FOR_EACH_CONFIG(PMP_WRITE_CONFIG_)
}

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_PMP_ROWS_H_ */
