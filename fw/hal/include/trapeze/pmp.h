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
 * Only configurations with `pmp` have this. Source: RISC-V Privileged Architecture, 3.7.
 */
#ifndef TRAPEZE_PMP_H_
#define TRAPEZE_PMP_H_

#include <stddef.h>
#include <stdint.h>

#include <trapeze/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Accesses that a region allows; zero is a region that user mode may not access. */
#define PMP_READ    ((unsigned int)PMPCFG_R)
#define PMP_WRITE   ((unsigned int)PMPCFG_W) /**< only beside PMP_READ */
#define PMP_EXECUTE ((unsigned int)PMPCFG_X)
/** The region binds machine mode, too, and cannot be changed until reset. */
#define PMP_LOCK    ((unsigned int)PMPCFG_L)

/** A region. */
struct pmp_region {
	const char *name;    /**< name for people; the hardware does not use it */
	uintptr_t base;      /**< first byte, a multiple of 4 */
	size_t size;         /**< bytes, a multiple of 4 */
	unsigned int access; /**< PMP_READ ... */
};

/**
 * Replaces all regions: writes the rows of memory protection, from row 0 on.
 *
 * A region whose size is a power of two and divides its base takes one row (NA4, NAPOT). Any other region takes two
 * (TOR); it takes one if it begins at address 0, or where a TOR region before it ends. All rows behind are turned off.
 *
 * @param regions the regions; the first one that holds a byte decides about it
 * @param count number of regions
 * @return number of rows that they took. -EINVAL if a region is empty, misaligned, above the address space, or asks for
 * an access that does not exist; -ENOSPC if there are too few rows; in both cases nothing is written. -EPERM if a row
 * is locked already; rows that are not locked are written
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
