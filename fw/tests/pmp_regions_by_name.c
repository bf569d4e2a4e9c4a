/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: regions by name become the rows that they need, and a set that needs too many rows or is wrong writes nothing
config: [mcu-user, mcu-user-e]
engines: [rtl]
qemu: the configurations have no CLINT
expect: |
  PASS
*/
#include <errno.h>
#include <stddef.h>

#include <trapeze/map.h>
#include <trapeze/pmp.h>

#include "pmp_test.h"

#define COUNT(regions) (sizeof(regions) / sizeof((regions)[0]))

static volatile uint32_t area[64] __attribute__((aligned(256)));

#define AREA ((uint32_t)area)

static const struct pmp_region good[] = {
    {"word", AREA + 8U, 4U, PMP_READ},
    {"block", AREA + 16U, 16U, PMP_READ | PMP_WRITE},
    {"odd", AREA + 36U, 12U, PMP_READ},
    {"behind it", AREA + 48U, 20U, PMP_READ | PMP_WRITE},
    {"code", TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, PMP_READ | PMP_EXECUTE},
};

/* Whether an access with the privilege of user mode, made by machine mode, may read or write a word. */
static bool may(uint32_t at, bool store)
{
	trap_clear();
	if (store) {
		as_user_store(at, 4U, 0U);
	} else {
		(void)as_user_load(at, 4U);
	}
	bool allowed = trap_last.count == 0U;

	trap_clear();
	return allowed;
}

static void nothing_changes(const struct pmp_region *regions, unsigned int count, int error)
{
	CHECK_EQ(pmp_regions_set(regions, count), error);
	CHECK(may(AREA + 8U, false));
	CHECK(!may(AREA, false));
}

int main(void)
{
	test_begin();

	/* Rows: NA4, NAPOT, an OFF row and TOR, a second TOR that begins where the first ends, NAPOT. */
	CHECK_EQ(pmp_regions_set(good, COUNT(good)), 6U);
	CHECK_EQ(csr_read(CSR_PMPCFG0), 0x09001b11U);
	CHECK_EQ(csr_read(CSR_PMPCFG0 + 1), 0x00001d0bU);
	CHECK_EQ(csr_read(CSR_PMPADDR0 + 1), NAPOT(AREA + 16U, 16U));
	for (uint32_t at = AREA; at < AREA + 80U; at += 4U) {
		const struct pmp_region *region = pmp_region_find(good, COUNT(good), at);

		CHECK_EQ(may(at, false), region != NULL);
		CHECK_EQ(may(at, true), region != NULL && (region->access & PMP_WRITE) != 0U);
	}
	CHECK_EQ((uintptr_t)pmp_region_find(good, COUNT(good), AREA + 47U), (uintptr_t)&good[2]);
	CHECK_EQ((uintptr_t)pmp_region_find(good, COUNT(good), AREA + 68U), 0U);

	const struct pmp_region empty = {"empty", AREA, 0U, PMP_READ};
	const struct pmp_region crooked = {"crooked", AREA + 2U, 8U, PMP_READ};
	const struct pmp_region beyond = {"beyond", 0xfffffff0U, 32U, PMP_READ};
	const struct pmp_region blind = {"blind", AREA, 16U, PMP_WRITE};
	struct pmp_region many[9];

	nothing_changes(&empty, 1U, -EINVAL);
	nothing_changes(&crooked, 1U, -EINVAL);
	nothing_changes(&beyond, 1U, -EINVAL);
	nothing_changes(&blind, 1U, -EINVAL);
	for (uint32_t i = 0U; i < COUNT(many); i++) {
		many[i] = (struct pmp_region){"odd", AREA + 20U * i + 4U, 12U, PMP_READ};
	}
	nothing_changes(many, COUNT(many), -ENOSPC);
	CHECK_EQ(pmp_regions_set(many, 8U), 16U);

	/* A locked row stays, and restricts machine mode, too. */
	const struct pmp_region locked = {"locked", AREA, 16U, PMP_READ | PMP_LOCK};

	CHECK_EQ(pmp_regions_set(&locked, 1U), 1U);
	trap_clear();
	area[0] = 1U;
	CHECK_EQ(trap_last.mcause, MCAUSE_STORE_FAULT);
	trap_clear();
	CHECK_EQ(pmp_regions_set(good, COUNT(good)), -EPERM);
	CHECK(may(AREA, false));
	return test_end();
}
