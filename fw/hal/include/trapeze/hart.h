/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Several harts: number of this hart, memory that all harts share, starting a hart, software interrupts between
 * harts, fences. Also included by assembly sources.
 *
 * After reset every hart runs the start-up code. Hart 0 initialises shared memory and runs main(). The other harts wait
 * in wfi until hart_start() gives them a function. Each hart has a stack of its own.
 *
 * What two harts share depends on the platform. On `duo` code, data and stacks are in private banks: each hart has its
 * own copy of every variable, and only TZ_SHARED objects are the same memory. On a platform with one memory, such as
 * QEMU's virt, all variables are shared. A program is correct on both kinds of platform if its harts communicate only
 * through TZ_SHARED objects, and no two harts use the same other variable. The HAL keeps this rule: interrupt and
 * exception handlers, and the alarm of the timer, belong to the hart that sets them.
 *
 * The C library is for one hart at a time: docs/howto/two-harts.md.
 */
#ifndef TRAPEZE_HART_H_
#define TRAPEZE_HART_H_

/** Number of harts that the program is built for; the build defines it for platforms with several. */
#ifndef TRAPEZE_HARTS
#define TRAPEZE_HARTS 1
#endif

/** Number of the hart that runs a program built for one; the build defines it where that is not hart 0. */
#ifndef TRAPEZE_HART
#define TRAPEZE_HART 0
#endif

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/csr.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Puts a variable into memory that all harts see. It is zero when main() begins, on whichever hart, and has no other
 * initial value: the compiler refuses one. A pointer to another shared object is valid on every hart; a pointer to any
 * other object only on the hart that made it.
 *
 * Two images that run side by side agree on the address of a shared object if both define the same
 * ones: define them in one file that both are built from.
 */
#if TRAPEZE_HARTS > 1
#define TZ_SHARED __attribute__((section(".bss.tz_shared")))
#else
#define TZ_SHARED
#endif

/** Number of this hart (mhartid), 0 to TRAPEZE_HARTS - 1. */
static inline unsigned int hart_id(void)
{
	return (unsigned int)csr_read(CSR_MHARTID);
}

/** Index of this hart in arrays with one entry for each hart: 0 if the program is built for one hart. */
static inline unsigned int hart_slot(void)
{
	return TRAPEZE_HARTS > 1 ? hart_id() : 0U;
}

/** Index of this hart in devices that have registers for each hart. */
static inline unsigned int hart_number(void)
{
	return TRAPEZE_HARTS > 1 ? hart_id() : TRAPEZE_HART;
}

/**
 * Orders everything before it against everything behind it, for other harts and devices: loads and
 * stores of memory as well as of device registers. For flags in memory alone the C operations
 * `__atomic_load_n(…, __ATOMIC_ACQUIRE)` and `__atomic_store_n(…, __ATOMIC_RELEASE)` are enough.
 */
static inline void hart_fence(void)
{
	__asm__ volatile("fence iorw, iorw" : : : "memory");
}

/** Function of a started hart; @p arg is the argument of hart_start(). */
typedef void (*hart_function_t)(void *arg);

/**
 * Starts a hart that waits. It runs @p function on its own stack with interrupts locked, sees all that
 * this hart has written to shared memory before, and waits again when the function returns.
 *
 * @param hart number of another hart, not the one that runs main()
 * @param function the same address on both harts: both run the same image
 * @param arg passed on; if it points to an object, to a TZ_SHARED one
 * @return 0, -EINVAL if there is no such hart or it cannot be started, -EBUSY if it is running
 */
int hart_start(unsigned int hart, hart_function_t function, void *arg);

/** Whether a started hart has not yet returned from its function. */
bool hart_is_running(unsigned int hart);

/** Waits until a started hart has returned from its function, and sees what it has written. */
void hart_wait(unsigned int hart);

/** Raises the software interrupt of a hart, as irq_software_set(true) does for this hart. Everything written before
 * is visible to that hart when its handler begins. */
void hart_interrupt(unsigned int hart);

#ifdef __cplusplus
}
#endif

#endif /* __ASSEMBLER__ */

#endif /* TRAPEZE_HART_H_ */
