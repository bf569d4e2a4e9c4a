/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Firmware of hart 1 that measures how many cycles the same work of its lowest task takes, interrupts included. JOBS: it
 * serves jobs; otherwise a handler of its own takes one word of the mailbox at a time.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <FreeRTOS.h>
#include <task.h>
#include <trapeze/csr.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>

#ifdef JOBS
#include <trapeze/jobs.h>
#else
#include <trapeze/mailbox_side.h>
#endif

enum {
	ROUNDS = 200000,
	STACK_WORDS = 512,
};

#ifndef JOBS
static volatile uint32_t words;

static volatile uint32_t *mailbox(uintptr_t offset)
{
	return (volatile uint32_t *)(TRAPEZE_MAILBOX_B_BASE + offset);
}

static void on_word(void *arg)
{
	(void)arg;
	(void)*mailbox(TRAPEZE_MAILBOX_SIDE_RECEIVE_OFFSET);
	words++;
}
#endif

static void work(void *arg)
{
	const TickType_t begun = xTaskGetTickCount();
	const uint32_t from = (uint32_t)csr_read(CSR_MCYCLE);

	(void)arg;
	for (volatile uint32_t round = 0U; round < ROUNDS; round++) {
	}
	const uint32_t cycles = (uint32_t)csr_read(CSR_MCYCLE) - from;

	printf("cycles %u ticks %u\n", (unsigned int)cycles,
	       (unsigned int)(xTaskGetTickCount() - begun));
	exit(0);
}

int main(void)
{
#ifdef JOBS
	jobs_start();
#else
	(void)irq_connect(IRQ_PLATFORM(TRAPEZE_MAILBOX_B_LINE), on_word, NULL);
	irq_enable(IRQ_PLATFORM(TRAPEZE_MAILBOX_B_LINE));
	*mailbox(TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_OFFSET) = TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_WORD_MASK;
#endif
	(void)xTaskCreate(work, "work", STACK_WORDS, NULL, tskIDLE_PRIORITY + 1, NULL);
	vTaskStartScheduler();
	return 1;
}
