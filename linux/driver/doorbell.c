// Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only
/*
 * Doorbells: a bell of the mailbox, whose interrupt comes by the platform's interrupt controller; or, on platforms
 * without a mailbox, the software interrupts of the two harts. The firmware carries those: it writes the other hart's,
 * and passes on this hart's.
 */
#include <asm/csr.h>
#include <asm/sbi.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <trapeze/mailbox_side.h>

#include "driver.h"

/** Argument of request_percpu_irq(): interrupts of a hart's own controller exist once for each hart. */
static DEFINE_PER_CPU(struct doorbell *, doorbell_of_hart);

/* Both handlers clear the bell before they look, so that a ring for an end that they miss is not lost. */

static irqreturn_t software_rung(int irq, void *of_hart)
{
	const struct doorbell *const doorbell = *(struct doorbell **)of_hart;

	csr_clear(CSR_IP, IE_SIE);
	doorbell->rung(doorbell->ring);
	return IRQ_HANDLED;
}

static irqreturn_t mailbox_rung(int irq, void *of_doorbell)
{
	const struct doorbell *const doorbell = of_doorbell;

	writel(TRAPEZE_RING_BELL, doorbell->mailbox + TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET);
	doorbell->rung(doorbell->ring);
	return IRQ_HANDLED;
}

int doorbell_start(struct doorbell *doorbell, void (*rung)(struct ring *ring), struct ring *ring)
{
	int error;

	doorbell->rung = rung;
	doorbell->ring = ring;
	if (doorbell->mailbox != NULL) {
		error = request_irq(doorbell->irq, mailbox_rung, 0, "trapeze", doorbell);
		if (error == 0)
			writel(TRAPEZE_RING_BELL,
			       doorbell->mailbox + TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET);
		return error;
	}
	*this_cpu_ptr(&doorbell_of_hart) = doorbell;
	error = request_percpu_irq(doorbell->irq, software_rung, "trapeze", &doorbell_of_hart);
	if (error == 0)
		enable_percpu_irq(doorbell->irq, IRQ_TYPE_NONE);
	return error;
}

void doorbell_stop(struct doorbell *doorbell)
{
	if (doorbell->mailbox != NULL) {
		writel(0, doorbell->mailbox + TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET);
		free_irq(doorbell->irq, doorbell);
		return;
	}
	disable_percpu_irq(doorbell->irq);
	free_percpu_irq(doorbell->irq, &doorbell_of_hart);
}

void doorbell_ring(const struct doorbell *doorbell)
{
	mb(); /* the entry is written before the doorbell, which is a device, is rung */
	if (doorbell->mailbox != NULL)
		writel(TRAPEZE_RING_BELL, doorbell->mailbox + TRAPEZE_MAILBOX_SIDE_RING_OFFSET);
	else
		sbi_ecall(SBI_EXT_IPI, SBI_EXT_IPI_SEND_IPI, 1, doorbell->hart, 0, 0, 0, 0);
}
