/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Regions as rows of memory protection. */
#include <errno.h>
#include <stdbool.h>

#include <trapeze/csr.h>
#include <trapeze/pmp.h>
#include <trapeze/pmp_rows.h>

#define ACCESS (PMP_READ | PMP_WRITE | PMP_EXECUTE)

#define TURN_OFF(n)   csr_write(CSR_PMPCFG0 + n, 0U);
#define IS_ADDRESS(n) same = same && csr_read(CSR_PMPADDR0 + n) == rows->address[n];
#define IS_CONFIG(n)  same = same && csr_read(CSR_PMPCFG0 + n) == PMP_CONFIG(rows, n);

static bool is_valid(const struct pmp_region *region)
{
	bool in_words = region->size != 0U && region->base % 4U == 0U && region->size % 4U == 0U;
	bool in_memory = region->size - 1U <= UINTPTR_MAX - region->base;
	bool known = (region->access & ~(ACCESS | PMP_LOCK)) == 0U;
	bool no_write_alone = (region->access & (PMP_READ | PMP_WRITE)) != PMP_WRITE;

	return in_words && in_memory && known && no_write_alone;
}

/* Whether a TOR row that comes next begins at an address (by words). */
static bool begins_at(const struct pmp_rows *rows, csr_value_t address)
{
	if (rows->used == 0U) {
		return address == 0U;
	}
	return (pmp_row_config(rows, rows->used - 1U) & PMPCFG_A) <= PMPCFG_A_TOR &&
	       rows->address[rows->used - 1U] == address;
}

static bool region_add(struct pmp_rows *rows, const struct pmp_region *region)
{
	bool block = (region->size & (region->size - 1U)) == 0U &&
		     (region->base & (region->size - 1U)) == 0U;
	bool begins = !block && !begins_at(rows, region->base >> PMP_ROW_SHIFT);

	if (rows->used + begins >= PMP_ROWS) {
		return false;
	}
	if (block) {
		pmp_row_block(rows, region->base, region->size, region->access);
		return true;
	}
	/* A row that is off holds the beginning. It is locked by the row behind it. */
	if (begins) {
		pmp_row_begin(rows, region->base);
	}
	pmp_row_add(rows, (region->base >> PMP_ROW_SHIFT) + (region->size >> PMP_ROW_SHIFT),
		    PMPCFG_A_TOR | region->access);
	return true;
}

static bool write(const struct pmp_rows *rows)
{
	bool same = true;

	PMP_FOR_EACH_CONFIG(TURN_OFF)
	pmp_rows_write(rows);
	PMP_FOR_EACH_ROW(IS_ADDRESS)
	PMP_FOR_EACH_CONFIG(IS_CONFIG)
	return same;
}

int pmp_regions_set(const struct pmp_region *regions, unsigned int count)
{
	struct pmp_rows rows = {.used = 0U};

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
