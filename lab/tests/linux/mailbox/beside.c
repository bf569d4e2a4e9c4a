/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Firmware of the hart beside Linux: one task counts ticks and prints, another answers each word that comes through the
 * mailbox. Words and doorbells come by interrupt; nothing is polled.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <FreeRTOS.h>
#include <queue.h>
#include <task.h>
#include <trapeze/assert.h>
#include <trapeze/irq.h>
#include <trapeze/mailbox_side.h>
#include <trapeze/map.h>

#include "message.h"

#define MAILBOX_IRQ IRQ_PLATFORM(TRAPEZE_MAILBOX_B_LINE)

enum {
	TICKS_BETWEEN = 10,
	STACK_WORDS = 512,
	LOW = 1,
	HIGH = 2,
};

static QueueHandle_t words;
static volatile uint32_t interrupts;
static volatile uint32_t bells;

static inline volatile uint32_t *mailbox(uintptr_t offset)
{
	return (volatile uint32_t *)(TRAPEZE_MAILBOX_B_BASE + offset);
}

static uint32_t waiting(void)
{
	return (*mailbox(TRAPEZE_MAILBOX_SIDE_STATUS_OFFSET) &
		TRAPEZE_MAILBOX_SIDE_STATUS_WAITING_MASK) >>
	       TRAPEZE_MAILBOX_SIDE_STATUS_WAITING_SHIFT;
}

static void on_mailbox(void *arg)
{
	BaseType_t woken = pdFALSE;
	const uint32_t rung = *mailbox(TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET);

	(void)arg;
	interrupts++;
	*mailbox(TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET) = rung;
	bells |= rung;
	while (waiting() != 0U) {
		const uint32_t word = *mailbox(TRAPEZE_MAILBOX_SIDE_RECEIVE_OFFSET);

		TRAPEZE_ASSERT(xQueueSendFromISR(words, &word, &woken) == pdPASS);
	}
	portYIELD_FROM_ISR(woken);
}

static void answer(void *arg)
{
	uint32_t count = 0U;
	uint32_t word;

	(void)arg;
	do {
		(void)xQueueReceive(words, &word, portMAX_DELAY);
		TRAPEZE_ASSERT(word == message_word(count));
		/* Linux takes answers before it sends more than fit. */
		*mailbox(TRAPEZE_MAILBOX_SIDE_SEND_OFFSET) = message_answer(word);
		count++;
	} while (word != MESSAGE_END);
	TRAPEZE_ASSERT(bells == MESSAGE_BELL);
	TRAPEZE_ASSERT((*mailbox(TRAPEZE_MAILBOX_SIDE_STATUS_OFFSET) &
			TRAPEZE_MAILBOX_SIDE_STATUS_OVERFLOW_MASK) == 0U);
	printf("answered %u words, %s\n", (unsigned int)count,
	       interrupts != 0U ? "by interrupt" : "polled");
	*mailbox(TRAPEZE_MAILBOX_SIDE_RING_OFFSET) = MESSAGE_BELL;
	vTaskSuspend(NULL);
}

static void count_ticks(void *arg)
{
	TickType_t last = xTaskGetTickCount();

	(void)arg;
	for (;;) {
		vTaskDelayUntil(&last, TICKS_BETWEEN);
		printf("tick %u\n", (unsigned int)last);
	}
}

int main(void)
{
	words = xQueueCreate(MESSAGE_WORDS, sizeof(uint32_t));
	TRAPEZE_ASSERT(irq_connect(MAILBOX_IRQ, on_mailbox, NULL) == 0);
	irq_enable(MAILBOX_IRQ);
	*mailbox(TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET) = MESSAGE_BELL;
	*mailbox(TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_OFFSET) =
	    TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_WORD_MASK;
	xTaskCreate(count_ticks, "ticks", STACK_WORDS, NULL, HIGH, NULL);
	xTaskCreate(answer, "answer", STACK_WORDS, NULL, LOW, NULL);
	vTaskStartScheduler();
	return 1;
}
