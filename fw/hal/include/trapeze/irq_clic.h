/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Interrupts of the CLIC scheme: levels and priorities, triggers, vectors, thresholds.
 *
 * The level of an interrupt decides what it may preempt: the program, and handlers of a lower level. Its priority
 * decides which of several pending interrupts of the same level comes first; the highest number wins ties. Both share
 * the eight bits of a source's `ctl`: the upper ones, as many as irq_level_bits_set() says, are the level, the others
 * the priority. A level is always a number from 0 to 255 whose lower bits are ones: with two bits 63, 127, 191 or 255,
 * with none always 255.
 *
 * Source: RISC-V Fast Interrupts v0.10; registers: its commit 5f5f98d. Only configurations with a
 * CLIC have this; those of the scheme fastirq are among them.
 */
#ifndef TRAPEZE_IRQ_CLIC_H_
#define TRAPEZE_IRQ_CLIC_H_

#ifndef TRAPEZE_IRQ_CLIC
#error "for the CLIC: this configuration has a CLINT, which trapeze/irq.h is for"
#endif

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/clic.h>
#include <trapeze/csr.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>
#include <trapeze/mode.h>

#ifdef __cplusplus
extern "C" {
#endif

/** When an interrupt is pending. */
enum irq_trigger {
	IRQ_TRIGGER_HIGH = TRAPEZE_CLIC_IRQ_ATTR_TRIG_HIGH, /**< while its wire is high */
	IRQ_TRIGGER_LOW = TRAPEZE_CLIC_IRQ_ATTR_TRIG_LOW,   /**< while its wire is low */
	IRQ_TRIGGER_RISING =
	    TRAPEZE_CLIC_IRQ_ATTR_TRIG_RISING, /**< from a rising edge on, or from a write of the
                                                                       pending bit */
	IRQ_TRIGGER_FALLING =
	    TRAPEZE_CLIC_IRQ_ATTR_TRIG_FALLING, /**< from a falling edge on, or from a write of the
                                                                       pending bit */
};

/** How interrupts that are not vectored are entered. */
enum irq_entry {
	IRQ_ENTRY_CAREFUL, /**< the default: reports a stack overflow as such; otherwise like IRQ_ENTRY_XNXTI */
	IRQ_ENTRY_XNXTI, /**< the specification's trampoline */
#ifndef TRAPEZE_USER
	IRQ_ENTRY_JALXNXTI, /**< the trampoline with Nuclei's jalmnxti */
#endif
};

/** An entry of the vector table. */
typedef void (*irq_vector_t)(void);

/** Sets how many bits of `ctl` are the level, 0 to 8, for all interrupts (mcliccfg.mnlbits, in user mode ucliccfg.unlbits). */
void irq_level_bits_set(unsigned int bits);

/** Number of bits of `ctl` that are the level. */
unsigned int irq_level_bits_get(void);

/** Sets level and priority at once: the eight bits of `ctl`. */
static inline void irq_control_set(unsigned int irq, uint8_t ctl)
{
	*irq_register(irq, TRAPEZE_CLIC_IRQ_CTL_OFFSET) = ctl;
}

/** The eight bits of `ctl`. */
static inline uint8_t irq_control_get(unsigned int irq)
{
	return *irq_register(irq, TRAPEZE_CLIC_IRQ_CTL_OFFSET);
}

/**
 * Sets the level; the priority stays.
 *
 * @param irq interrupt number
 * @param level 0 to 255, of which the upper irq_level_bits_get() bits count
 */
void irq_level_set(unsigned int irq, uint8_t level);

/** The level that an interrupt has with the current number of level bits. */
uint8_t irq_level_get(unsigned int irq);

/**
 * Sets the priority among equal levels; the level stays.
 *
 * @param irq interrupt number
 * @param priority 0 (last) and up, of which as many bits count as are not level bits
 */
void irq_priority_set(unsigned int irq, uint8_t priority);

/** Sets the trigger. Turning edge-triggered forgets what was pending. */
void irq_trigger_set(unsigned int irq, enum irq_trigger trigger);

/**
 * Whether an interrupt is vectored, as all are after start-up: then the table leads straight to its
 * handler. One that is not goes through the entry of irq_entry_set(), and its handler is a plain C
 * function: of irq_connect(), or set by irq_vector_set().
 */
void irq_vectored_set(unsigned int irq, bool vectored);

/**
 * Writes an entry of the vector table.
 *
 * @param irq interrupt number
 * @param vector if vectored: a handler that saves what it uses and ends with mret; else, and always
 * with fastirq, a C function
 * @return the entry before
 */
irq_vector_t irq_vector_set(unsigned int irq, irq_vector_t vector);

/**
 * Chooses how interrupts that are not vectored, and exceptions, are entered (mtvec). The fast entries
 * store to the interrupted stack before anything else, so a stack overflow is not reported as such:
 * the store itself faults and enters them again, further down, until sp reaches memory. With fastirq
 * every entry begins with the loop that calls handlers, because the hardware has saved the registers.
 */
void irq_entry_set(enum irq_entry entry);

/** Makes an edge-triggered interrupt pending, or not pending. No effect on a level-triggered one. */
static inline void irq_pending_set(unsigned int irq, bool pending)
{
	*irq_register(irq, TRAPEZE_CLIC_IRQ_IP_OFFSET) = pending ? TRAPEZE_CLIC_IRQ_IP_IP_MASK : 0U;
	/* The read makes sure that the write has taken effect before the next access. */
	(void)*irq_register(irq, TRAPEZE_CLIC_IRQ_IP_OFFSET);
}

/**
 * Masks interrupts up to a level until the threshold is lowered again: a critical section that higher levels may still
 * preempt. mret to user mode takes it to 0.
 *
 * @param level threshold, 0 for none
 * @return the threshold before
 */
static inline uint8_t irq_threshold_set(uint8_t level)
{
	return (uint8_t)csr_swap(CSR_XINTTHRESH, level);
}

/** The threshold. */
static inline uint8_t irq_threshold_get(void)
{
	return (uint8_t)csr_read(CSR_XINTTHRESH);
}

/** The level that runs now, 0 outside of interrupt handlers. */
static inline uint8_t irq_level_current(void)
{
	return (uint8_t)(csr_read(CSR_XINTSTATUS) >> XINTSTATUS_XIL_SHIFT);
}

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_IRQ_CLIC_H_ */
