/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The doorbells: the mailbox on platforms that have one, otherwise the software interrupts of the two harts. A
 * ring tells the other side to look at the queue; rings are not counted.
 */
#ifndef DOORBELL_H_
#define DOORBELL_H_

#include <stdint.h>

#include <trapeze/clint.h>
#include <trapeze/irq.h>
#include <trapeze/mailbox_side.h>
#include <trapeze/map.h>
#include <trapeze/ring.h>

#ifdef TRAPEZE_MAILBOX_B_BASE

/** The interrupt of this side's doorbell. */
#define DOORBELL_IRQ IRQ_PLATFORM(TRAPEZE_MAILBOX_B_LINE)

static inline void doorbell_write_(uint32_t offset, uint32_t value)
{
	*(volatile uint32_t *)((uintptr_t)TRAPEZE_MAILBOX_B_BASE + offset) = value;
}

/** Clears what has rung. */
static inline void doorbell_clear(void)
{
	doorbell_write_(TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET, TRAPEZE_RING_BELL);
}

/** Enables the doorbell's interrupt. */
static inline void doorbell_enable(void)
{
	doorbell_write_(TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET, TRAPEZE_RING_BELL);
	irq_enable(DOORBELL_IRQ);
}

/** Rings for Linux. */
static inline void doorbell_ring(void)
{
	doorbell_write_(TRAPEZE_MAILBOX_SIDE_RING_OFFSET, TRAPEZE_RING_BELL);
}

#else

#define DOORBELL_IRQ         IRQ_SOFTWARE

/* The hart on which Linux takes the doorbell's interrupt. */
#define DOORBELL_LINUX_HART_ 0U

static inline void doorbell_clear(void)
{
	irq_software_set(false);
}

static inline void doorbell_enable(void)
{
	irq_enable(DOORBELL_IRQ);
}

static inline void doorbell_ring(void)
{
	*(volatile uint32_t *)((uintptr_t)TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MSIP_OFFSET +
			       DOORBELL_LINUX_HART_ * TRAPEZE_CLINT_MSIP_STRIDE) =
	    TRAPEZE_CLINT_MSIP_MSIP_MASK;
}

#endif

#endif /* DOORBELL_H_ */
