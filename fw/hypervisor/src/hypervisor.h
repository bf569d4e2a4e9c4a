/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The hypervisor: the interface between its parts. guests.c, vcpu.c, scheduler.c, guest_harts.c, plic.c, access.c,
 * cells.c: none calls one that is named behind it. fw/sbi is below them, and has hypervisor_*() and sbi_guest_*().
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

#ifndef CELL_DEVICES
#error "CELL_DEVICES(EACH): the build says EACH(NAME) for each device of the cell"
#endif

/** Whether interrupts of the cell come by the hypervisor. Otherwise the hardware delivers them to the cell. */
#ifndef CELL_INJECTED
#define CELL_INJECTED 0
#endif

_Static_assert(((SBI_SUPERVISOR_HARTS >> CELL_HART) & 1) != 0 && CELL_HART != SBI_BOOT_HART,
	       "the cell's hart can run supervisor mode and does not boot Linux");

#ifdef SBI_VCPUS

/**
 * A virtual hart. Those of a guest share one hart, on which nobody else runs: Linux' on the boot hart, the cell's one on
 * CELL_HART. While one is current its registers are the hart's; the fields below hold them else.
 */
struct vcpu {
	struct sbi_frame frame;
	uint64_t sp, pc;
	uint64_t mstatus, sie, stvec, sscratch, sepc, scause, stval, satp, scounteren, senvcfg;
	uint64_t pending; /**< its bits of mip */
	uint64_t f[33];   /**< f0 to f31, fcsr */

	uint64_t timer;  /**< UINT64_MAX: none */
	uint64_t ticket; /**< those of equal priority run in this order */
	int32_t credit;
	uint8_t state;    /**< enum vcpu_state */
	uint8_t priority; /**< enum vcpu_priority */
	uint8_t ran;      /**< ticks in a row */
};

enum vcpu_state {
	VCPU_STOPPED,
	VCPU_RUNNABLE,
	VCPU_BLOCKED, /**< until an interrupt is pending that it has enabled */
};

/** In ascending order. */
enum vcpu_priority {
	VCPU_OVER, /**< has used more than its share */
	VCPU_UNDER,
	VCPU_BOOST, /**< was woken, and had credit */
};

/** Number of virtual harts of the guest of this hart, and the first of them. */
unsigned int vcpu_count(void);
struct vcpu *vcpus(void);
struct vcpu *vcpus_of(uint64_t hart);
struct vcpu *vcpu_current(void);

/** @brief This hart begins with its first virtual hart, whose registers are the hart's. */
void vcpu_begin(void);

/** @brief Make interrupts of a virtual hart of this hart pending, or not pending. */
void vcpu_raise(struct vcpu *vcpu, uint64_t bits);
void vcpu_lower(struct vcpu *vcpu, uint64_t bits);

/** @brief Have the registers of this hart be those of another one of its virtual harts. */
void vcpu_switch(struct sbi_frame *frame, struct vcpu *from, struct vcpu *to);

/** @brief Save and restore all registers of floating point, and fcsr. */
void float_save(uint64_t *to);
void float_restore(const uint64_t *from);

/** @brief Whether the exception of this hart is that of a wfi of supervisor mode. It uses mtval. */
bool guest_waits(void);

/** @brief The current virtual hart of this hart executes wfi. */
void schedule_wait(void);

/** @brief A virtual hart of this hart can go on. */
void schedule_wake(struct vcpu *vcpu);

/** @brief Another virtual hart of this hart may have to go on. */
void schedule_request(void);

/** @brief This hart begins: its first tick. */
void schedule_begin(void);

/** @brief Time of the next tick of this hart, and what it does. */
uint64_t schedule_tick_time(void);
void schedule_tick(uint64_t now);

/** @brief Whether another one may have to go on, the one that can (NULL: none), and going on with it. */
bool schedule_requested(void);
struct vcpu *schedule_best(void);
void schedule_switch(struct sbi_frame *frame, struct vcpu *next);

/** @brief Handle the machine timer as a trap does, and set it anew. */
void timers_look(void);
void timers_arm(void);

#endif

/** @brief Whether a source of the PLIC is the cell's. All others are Linux'. */
bool cell_has_source(uint32_t source);

/** @brief Fill @p bytes, a multiple of 8, at an address that is one. */
void memory_clear(void *to, size_t bytes);

/** @brief The guest's instruction of two or four bytes at a virtual address, or -1: the guest cannot execute there. */
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
