/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The hypervisor: the interface between its parts. fw/sbi is below it, and has hypervisor_*() and sbi_guest_*().
 */
#ifndef TRAPEZE_HYPERVISOR_H_
#define TRAPEZE_HYPERVISOR_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sbi.h>

#ifndef CELL_HART
#error "CELL_HART: the build says which hart the cell has"
#endif

/** Whether interrupts of the cell come by the hypervisor. Otherwise the hardware delivers them to the cell. */
#ifndef CELL_INJECTED
#define CELL_INJECTED 0
#endif

_Static_assert(((SBI_SUPERVISOR_HARTS >> CELL_HART) & 1) != 0 && CELL_HART != SBI_BOOT_HART,
	       "the cell's hart can run supervisor mode and does not boot Linux");

/** @brief Whether a source of the PLIC is the cell's. All others are Linux'. */
bool cell_has_source(uint32_t source);

/** @brief Fill @p bytes, a multiple of 8, at an address that is one. */
void memory_clear(void *to, size_t bytes);

/** @brief Two bytes of the guest's code at a virtual address, or -1: the guest cannot execute there. */
long guest_fetch(uint64_t address);

/**
 * @brief The physical address of a guest's access, by its own tables.
 *
 * @return UINT64_MAX: there is none, or its tables are where it has no memory.
 */
uint64_t guest_physical(const struct sbi_guest *guest, uint64_t address);

/** @brief Have the guest of this hart take an exception at mepc. */
void guest_except(uint64_t cause, uint64_t value);

/** @brief Load or store of a guest that its memory protection refused. @return Whether it was one that is emulated. */
bool guest_access(struct sbi_frame *frame, uint64_t cause);

/** @brief At the beginning of the run: priorities, and thresholds of machine mode. */
void plic_begin(void);

/** @brief A guest of this hart begins: no source is enabled, none pending. */
void plic_open(void);

/**
 * @brief A guest of this hart loads from the PLIC.
 *
 * @param offset From its beginning; a multiple of 4.
 */
uint32_t plic_load(uint32_t offset);

/** @brief A guest of this hart stores to the PLIC; @p offset as for plic_load(). */
void plic_store(uint32_t offset, uint32_t value);

/** @brief The machine's external interrupt: hand the source on to the guest of this hart. */
void plic_interrupt(void);

/** @brief Offset of the page of the PLIC by which supervisor mode of a hart claims and completes. */
uint32_t plic_page(uint64_t hart);

#endif /* TRAPEZE_HYPERVISOR_H_ */
