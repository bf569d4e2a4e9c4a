/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Regions as rows of memory protection. */
#include <errno.h>
#include <stdbool.h>

#include <trapeze/csr.h>
#include <trapeze/pmp.h>

#define ROWS 16U

#define ROW_TOR   0x08U
#define ROW_NA4   0x10U
#define ROW_NAPOT 0x18U
#define ROW_MODE  0x18U

#define ACCESS (PMP_READ | PMP_WRITE | PMP_EXECUTE)

/** What is to be written. */
struct rows {
	csr_value_t address[ROWS]; /**< pmpaddr */
	uint8_t config[ROWS];      /**< a byte of pmpcfg each */
	unsigned int used;
};

/* A number of a CSR is part of an instruction, so there is one for each. */
#define FOR_EACH_ROW(DO)                                                                           \
	DO(0)                                                                                      \
	DO(1)                                                                                      \
	DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
/* Registers with the bytes of pmpcfg: of 64 bits those with even numbers. */
#if __riscv_xlen == 64
#define FOR_EACH_WORD(DO) DO(0) DO(2)
#else
#define FOR_EACH_WORD(DO) DO(0) DO(1) DO(2) DO(3)
#endif

#define WRITE_ADDRESS(n) csr_write(CSR_PMPADDR0 + n, rows->address[n]);
#define WRITE_CONFIG(n)  csr_write(CSR_PMPCFG0 + n, config_word(rows, n));
#define TURN_OFF(n)      csr_write(CSR_PMPCFG0 + n, 0U);
#define IS_ADDRESS(n)    same = same && csr_read(CSR_PMPADDR0 + n) == rows->address[n];
#define IS_CONFIG(n)     same = same && csr_read(CSR_PMPCFG0 + n) == config_word(rows, n);

static csr_value_t config_word(const struct rows *rows, unsigned int word)
{
	const uint8_t *bytes = &rows->config[4U * word];
	csr_value_t value = bytes[0] | (csr_value_t)bytes[1] << 8 | (csr_value_t)bytes[2] << 16 |
			    (csr_value_t)bytes[3] << 24;

#if __riscv_xlen == 64
	value |= (csr_value_t)bytes[4] << 32 | (csr_value_t)bytes[5] << 40 |
		 (csr_value_t)bytes[6] << 48 | (csr_value_t)bytes[7] << 56;
#endif
	return value;
}

static bool is_valid(const struct pmp_region *region)
{
	bool in_words = region->size != 0U && region->base % 4U == 0U && region->size % 4U == 0U;
	bool in_memory = region->size - 1U <= UINTPTR_MAX - region->base;
	bool known = (region->access & ~(ACCESS | PMP_LOCK)) == 0U;
	bool no_write_alone = (region->access & (PMP_READ | PMP_WRITE)) != PMP_WRITE;

	return in_words && in_memory && known && no_write_alone;
}

static bool row_add(struct rows *rows, csr_value_t address, unsigned int config)
{
	if (rows->used == ROWS) {
		return false;
	}
	rows->address[rows->used] = address;
	rows->config[rows->used] = (uint8_t)config;
	rows->used++;
	return true;
}

/* Whether a TOR row that comes next begins at an address (by words). */
static bool begins_at(const struct rows *rows, csr_value_t address)
{
	if (rows->used == 0U) {
		return address == 0U;
	}
	return (rows->config[rows->used - 1U] & ROW_MODE) <= ROW_TOR &&
	       rows->address[rows->used - 1U] == address;
}

static bool region_add(struct rows *rows, const struct pmp_region *region)
{
	csr_value_t first = region->base >> 2;
	csr_value_t words = region->size >> 2;

	if ((words & (words - 1U)) == 0U && first % words == 0U) {
		return words == 1U
			   ? row_add(rows, first, region->access | ROW_NA4)
			   : row_add(rows, first | (words / 2U - 1U), region->access | ROW_NAPOT);
	}
	/* A row that is off holds the beginning. It is locked by the row behind it. */
	if (!begins_at(rows, first) && !row_add(rows, first, 0U)) {
		return false;
	}
	return row_add(rows, first + words, region->access | ROW_TOR);
}

static bool write(const struct rows *rows)
{
	bool same = true;

	FOR_EACH_WORD(TURN_OFF)
	FOR_EACH_ROW(WRITE_ADDRESS)
	FOR_EACH_WORD(WRITE_CONFIG)
	FOR_EACH_ROW(IS_ADDRESS)
	FOR_EACH_WORD(IS_CONFIG)
	return same;
}

int pmp_regions_set(const struct pmp_region *regions, unsigned int count)
{
	struct rows rows = {.used = 0U};

	for (unsigned int i = 0U; i < count; i++) {
		if (!is_valid(&regions[i])) {
			return -EINVAL;
		}
		if (!region_add(&rows, &regions[i])) {
			return -ENOSPC;
		}
	}
	return write(&rows) ? (int)rows.used : -EPERM;
}

const struct pmp_region *pmp_region_find(const struct pmp_region *regions, unsigned int count,
					 uintptr_t address)
{
	for (unsigned int i = 0U; i < count; i++) {
		if (address - regions[i].base < regions[i].size) {
			return &regions[i];
		}
	}
	return NULL;
}
