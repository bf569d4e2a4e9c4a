/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Which harts, memory and interrupt sources are each guest's.
 */
#include <trapeze/cell.h>
#include <trapeze/map.h>

#include "hypervisor.h"

static const struct sbi_guest guests[] = {
    {
#ifdef SBI_VCPUS
	.harts = (1ULL << SBI_VCPUS) - 1, /* and no doorbells: the numbers are others */
#else
	.harts = SBI_SUPERVISOR_HARTS & ~(1ULL << CELL_HART),
	.doorbells = ((1ULL << SBI_HARTS) - 1) & ~(uint64_t)SBI_SUPERVISOR_HARTS,
#endif
	.memory = TRAPEZE_DRAM_BASE + SBI_BYTES,
	.bytes = CELL_IMAGE_BASE - TRAPEZE_DRAM_BASE - SBI_BYTES,
    },
    {
#ifdef SBI_VCPUS
	.harts = 1,
#else
	.harts = 1ULL << CELL_HART,
#endif
	.doorbells = 0,
	.memory = CELL_MEMORY_BASE,
	.bytes = CELL_MEMORY_SIZE,
    },
};

bool cell_has_source(uint32_t source)
{
#define OR_ITS(name) || source == TRAPEZE_##name##_PLIC_SOURCE
	return false CELL_DEVICES(OR_ITS);
#undef OR_ITS
}

const struct sbi_guest *sbi_guest_of(uint64_t hart)
{
	return &guests[hart == CELL_HART];
}

void memory_clear(void *to, size_t bytes)
{
	uint64_t *const words = to;

	for (size_t i = 0; i < bytes / 8; i++) {
		words[i] = 0;
		__asm__ volatile(
		    ""
		    :
		    :
		    : "memory"); /* else the loop is a call of memset(), which is not there */
	}
}
