/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Memory protection (PMP) by regions with names: what user mode may reach, and what machine mode has
 * locked.
 *
 * What to write:
 * @code
 * static const struct pmp_region regions[] = {
 *         {"code", TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE, PMP_READ | PMP_EXECUTE},
 *         {"data", (uintptr_t)data, sizeof(data), PMP_READ | PMP_WRITE},
 * };
 *
 *         pmp_regions_set(regions, 2);
 * @endcode
 *
 * User mode reaches nothing else then. Machine mode still reaches everything, but for regions with PMP_LOCK.
 * The first region that holds a byte decides, so a smaller one stands before the one around it.
 *
 * Only configurations with `pmp` have this, RV32 alone. Source: RISC-V Privileged Architecture, 3.7.
 */
#ifndef TRAPEZE_PMP_H_
#define TRAPEZE_PMP_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What may be done in a region; zero is a region that user mode may not touch. */
#define PMP_READ    0x01U
#define PMP_WRITE   0x02U /**< only beside PMP_READ */
#define PMP_EXECUTE 0x04U
/** Machine mode is bound as well, and until reset nobody changes the region. */
#define PMP_LOCK    0x80U

/** A region. */
struct pmp_region {
	const char *name;    /**< for people */
	uintptr_t base;      /**< first byte, a multiple of 4 */
	size_t size;         /**< bytes, a multiple of 4 */
	unsigned int access; /**< PMP_READ ... */
};

/**
 * Makes regions the only ones there are: writes the rows of memory protection, from row 0 on.
 *
 * A region whose size is a power of two and divides its base takes one row (NA4, NAPOT). Another one takes two
 * (TOR), or one if it begins where such a one before it ends, or at address 0. All rows behind are turned off.
 *
 * @param regions the regions, the first that holds a byte decides
 * @param count how many
 * @return how many rows they took; or -EINVAL if a region is empty, misaligned, above the address space or asks
 * for what there is not; -ENOSPC if there are not as many rows; nothing is written then. -EPERM if a row is
 * locked already: those that are not are written
 */
int pmp_regions_set(const struct pmp_region *regions, unsigned int count);

/**
 * The region that decides about a byte.
 *
 * @param regions as for pmp_regions_set()
 * @param count how many
 * @param address of the byte
 * @return the region, or NULL if none holds the byte
 */
const struct pmp_region *pmp_region_find(const struct pmp_region *regions, unsigned int count,
					 uintptr_t address);

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_PMP_H_ */
