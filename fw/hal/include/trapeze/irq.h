/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Interrupts, whatever the controller: connect, enable, lock.
 *
 * An interrupt is named by its number: IRQ_SOFTWARE, IRQ_TIMER, IRQ_EXTERNAL (the UART; on
 * an application hart the PLIC, too: trapeze/irq_plic.h),
 * IRQ_PLATFORM(0) and up for the platform lines (trapeze/csr.h).
 *
 * CLINT scheme: priority is fixed: platform lines from 15 down to 0, then external, software, timer.
 * Every source is level-triggered: the handler must clear it at its origin. Handlers run with
 * interrupts locked.
 *
 * CLIC scheme: the numbers are the CLIC's sources; trapeze/irq_clic.h has their levels, priorities
 * and triggers. Until these are set, all have the same level, the highest number comes first, and
 * each is level-triggered. Connected handlers run unlocked at their level: higher ones preempt them.
 *
 * fastirq scheme: as with the CLIC, but the core saves the interrupted context; trapeze/irq_fast.h
 * says more.
 *
 * User mode with interrupts of its own (TRAPEZE_USER): as in machine mode, by the registers of user mode
 * (trapeze/mode.h).
 *
 * User mode with interrupts through a monitor (TRAPEZE_MONITOR_CALLS): the numbers are the CLIC's
 * sources; connected handlers run locked. Locks are calls of the monitor (trapeze/monitor.h), irq_wait()
 * returns at once, and there are no direct handlers.
 *
 * Two kinds of handler exist: a C function given to irq_connect(), entered through a common routine
 * that saves the caller-saved registers; and a direct handler (TRAPEZE_IRQ_DIRECT) to which the
 * vector table leads, and which runs locked (with fastirq unlocked at its level, too). Both run on
 * the interrupted stack.
 */
#ifndef TRAPEZE_IRQ_H_
#define TRAPEZE_IRQ_H_

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/mode.h>
#ifdef TRAPEZE_IRQ_CLIC
#include <trapeze/clic.h>
#ifdef TRAPEZE_USER
#include <trapeze/clic_user.h>
#endif
#include <trapeze/map.h>
#endif
#ifdef TRAPEZE_IRQ_FAST
#include <trapeze/irq_fast.h>
#endif
#ifdef TRAPEZE_MONITOR_CALLS
#include <trapeze/monitor.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** An interrupt handler; @p arg is the argument of irq_connect(). */
typedef void (*irq_handler_t)(void *arg);

/**
 * Connects a handler; it replaces the one before. Does not enable the interrupt.
 *
 * @param irq interrupt number
 * @param handler the handler, or NULL to disconnect
 * @param arg passed to the handler
 * @return 0, or -EINVAL if there is no such interrupt
 */
int irq_connect(unsigned int irq, irq_handler_t handler, void *arg);

#ifdef TRAPEZE_IRQ_CLIC

/** Reads or writes a byte of a source's registers in the CLIC; @p offset is that of source 0 (trapeze/clic.h). */
static inline volatile uint8_t *irq_register(unsigned int irq, unsigned int offset)
{
	return (volatile uint8_t *)(TRAPEZE_XCLIC_BASE + offset + irq * TRAPEZE_CLIC_IRQ_IP_STRIDE);
}

/** Enables one interrupt. */
static inline void irq_enable(unsigned int irq)
{
#ifdef TRAPEZE_MONITOR_CALLS
	monitor_page.mie[irq] = 1U;
#endif
	*irq_register(irq, TRAPEZE_CLIC_IRQ_IE_OFFSET) = TRAPEZE_CLIC_IRQ_IE_IE_MASK;
}

/** Disables one interrupt: it is not taken after this function returns. */
static inline void irq_disable(unsigned int irq)
{
#ifdef TRAPEZE_MONITOR_CALLS
	/* This comes first: from now on the monitor does not enable the source again. */
	monitor_page.mie[irq] = 0U;
#endif
	*irq_register(irq, TRAPEZE_CLIC_IRQ_IE_OFFSET) = 0U;
	/* The read makes sure that the write has taken effect before the next access. */
	(void)*irq_register(irq, TRAPEZE_CLIC_IRQ_IE_OFFSET);
}

/** Whether an interrupt is enabled. */
static inline bool irq_is_enabled(unsigned int irq)
{
#ifdef TRAPEZE_MONITOR_CALLS
	/* This register alone does not say it: the monitor also clears it to mask a source. */
	return monitor_page.mie[irq] != 0U;
#else
	return *irq_register(irq, TRAPEZE_CLIC_IRQ_IE_OFFSET) != 0U;
#endif
}

/** Whether an interrupt is pending, enabled or not. */
static inline bool irq_is_pending(unsigned int irq)
{
	return *irq_register(irq, TRAPEZE_CLIC_IRQ_IP_OFFSET) != 0U;
}

#else

/** Enables one interrupt (its bit in mie, or in sie). */
static inline void irq_enable(unsigned int irq)
{
	csr_set(CSR_XIE, 1U << irq);
}

/** Disables one interrupt: it is not taken after this function returns. */
static inline void irq_disable(unsigned int irq)
{
	csr_clear(CSR_XIE, 1U << irq);
}

/** Whether an interrupt is enabled. */
static inline bool irq_is_enabled(unsigned int irq)
{
	return ((csr_read(CSR_XIE) >> irq) & 1U) != 0U;
}

/** Whether an interrupt is pending, enabled or not. */
static inline bool irq_is_pending(unsigned int irq)
{
	return ((csr_read(CSR_XIP) >> irq) & 1U) != 0U;
}

#endif

#ifdef TRAPEZE_MONITOR_CALLS

/** Locks all interrupts; returns the key for irq_unlock(). Locks nest. */
static inline unsigned int irq_lock(void)
{
	return monitor_irq_disable();
}

/** Restores the state before the irq_lock() that returned @p key. */
static inline void irq_unlock(unsigned int key)
{
	monitor_irq_restore(key);
}

/** Unlocks interrupts globally, as after start-up they are locked. */
static inline void irq_unlock_all(void)
{
	monitor_irq_restore(1U);
}

#else

/** Locks all interrupts; returns the key for irq_unlock(). Locks nest. */
static inline unsigned int irq_lock(void)
{
	return csr_read_clear(CSR_XSTATUS, XSTATUS_XIE) & XSTATUS_XIE;
}

/** Restores the state before the irq_lock() that returned @p key. */
static inline void irq_unlock(unsigned int key)
{
	csr_set(CSR_XSTATUS, key);
}

/** Unlocks interrupts globally, as after start-up they are locked. */
static inline void irq_unlock_all(void)
{
#ifdef TRAPEZE_IRQ_FAST
	irq_fast_require();
#endif
	csr_set(CSR_XSTATUS, XSTATUS_XIE);
}

#endif

/** Raises or clears this hart's software interrupt. */
void irq_software_set(bool pending);

/**
 * Waits for an interrupt that is enabled, locked or not. May return early. With the CLIC an interrupt that the level or
 * the threshold masks does not end the wait.
 *
 * To wait for what a handler does, test and wait with interrupts locked; otherwise the interrupt may
 * come between the two and the wait may never end:
 * @code
 * irq_lock();
 * while (!done) {
 *         irq_wait();
 *         irq_unlock_all();
 *         irq_lock();
 * }
 * @endcode
 */
static inline void irq_wait(void)
{
#ifdef TRAPEZE_MONITOR_CALLS
	/* While interrupts are locked the monitor masks interrupts that come, so they would end no wait. */
	__asm__ volatile("" : : : "memory");
#else
	__asm__ volatile("wfi" : : : "memory");
#endif
}

/**
 * Defines a direct handler: the vector table leads to it, and the compiler saves what it uses; with
 * fastirq the core does, and it is a C function as any other. With the CLIC and with fastirq the
 * source must be vectored, as all are after start-up.
 *
 * @code
 * TRAPEZE_IRQ_DIRECT(17) // platform line 1
 * {
 *         events++;
 * }
 * @endcode
 *
 * @param number the interrupt number as a decimal literal, 1 to IRQ_COUNT - 1
 */
#ifdef __cplusplus
#define TRAPEZE_IRQ_LINKAGE_ extern "C" /* the table knows handlers by their names in C */
#else
#define TRAPEZE_IRQ_LINKAGE_ extern
#endif
#if defined(TRAPEZE_MONITOR_CALLS)
#ifdef __cplusplus
#define TRAPEZE_IRQ_NONE_ static_assert
#else
#define TRAPEZE_IRQ_NONE_ _Static_assert
#endif
/* There are no direct handlers: the monitor has the vector table. */
#define TRAPEZE_IRQ_DIRECT(number)                                                                 \
	TRAPEZE_IRQ_NONE_(number < 0, "no direct handlers under this monitor, which has the "      \
				      "vector table: use irq_connect(), or --monitor direct");     \
	__attribute__((unused)) static void __irq_vector_##number(void)
#elif defined(TRAPEZE_IRQ_FAST)
#define TRAPEZE_IRQ_DIRECT(number)                                                                 \
	TRAPEZE_IRQ_LINKAGE_ __attribute__((aligned(4), section(".text.irq." #number),             \
					    used)) void __irq_vector_##number(void);               \
	void __irq_vector_##number(void)
#else
#ifdef TRAPEZE_SUPERVISOR
#define TRAPEZE_IRQ_MODE_ "supervisor"
#else
#define TRAPEZE_IRQ_MODE_ "machine"
#endif
#define TRAPEZE_IRQ_DIRECT(number)                                                                 \
	TRAPEZE_IRQ_LINKAGE_                                                                       \
	__attribute__((interrupt(TRAPEZE_IRQ_MODE_), section(".text.irq." #number),                \
		       used)) void __irq_vector_##number(void);                                    \
	void __irq_vector_##number(void)
#endif

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_IRQ_H_ */
