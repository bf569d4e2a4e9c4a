/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Cost of calls of FreeRTOS in machine mode: RIOT's benchmarks runtime_coreapis, thread_yield_pingpong and msg_pingpong,
 * restated for FreeRTOS. The program prints one line for each benchmark: cycles and instructions of one call, pair of
 * calls, switch or message, without the loop around it.
 */
#include <stdint.h>
#include <stdlib.h>

#include <FreeRTOS.h>
#include <event_groups.h>
#include <queue.h>
#include <semphr.h>
#include <task.h>
#include <trapeze/csr.h>

#define COUNTER_CYCLES       CSR_MCYCLE
#define COUNTER_INSTRUCTIONS CSR_MINSTRET
#include "per_call.h"

static SemaphoreHandle_t mutex;
static EventGroupHandle_t flags;

static void player(void *arg)
{
	uint32_t message = 0U;

	(void)arg;
	measure_loop();
	MEASURE("mask", 1U, {
		portDISABLE_INTERRUPTS();
		portENABLE_INTERRUPTS();
	});
	MEASURE("critical", 1U, {
		taskENTER_CRITICAL();
		taskEXIT_CRITICAL();
	});
	MEASURE("mutex", 1U, {
		(void)xSemaphoreTake(mutex, 0);
		(void)xSemaphoreGive(mutex);
	});
	MEASURE("flags", 1U, {
		(void)xEventGroupSetBits(flags, 1U);
		(void)xEventGroupWaitBits(flags, 1U, pdTRUE, pdFALSE, 0);
	});
	MEASURE("nomessage", 1U, (void)xQueueReceive(there, &message, 0));
	MEASURE("waiting", 1U, (void)uxQueueMessagesWaiting(there));

	(void)xTaskCreate(partner, "partner", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
	/* Each iteration switches to the other task and back. */
	MEASURE("yield", 2U, taskYIELD());
	message = 0U;
	MEASURE("message", 2U, ping(&message));
	exit(message == CALLS ? 0 : 1);
}

int main(void)
{
	mutex = xSemaphoreCreateMutex();
	flags = xEventGroupCreate();
	there = xQueueCreate(1, sizeof(uint32_t));
	back = xQueueCreate(1, sizeof(uint32_t));
	(void)xTaskCreate(player, "player", configMINIMAL_STACK_SIZE * 4, NULL, 1, NULL);
	vTaskStartScheduler();
	return 1;
}
