/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Cost of calls of FreeRTOS in user mode under a monitor, and in machine mode: RIOT's benchmarks runtime_coreapis,
 * thread_yield_pingpong and msg_pingpong, restated for FreeRTOS. The same source is built for both modes. The program
 * prints one line for each benchmark: cycles and instructions of one call, pair of calls, switch or message, without the
 * loop around it.
 */
#include <stdint.h>
#include <stdlib.h>

#include <FreeRTOS.h>
#include <event_groups.h>
#include <queue.h>
#include <semphr.h>
#include <task.h>
#include <trapeze/csr.h>
#include <trapeze/irq.h>

#define COUNTER_CYCLES       CSR_CYCLE /* user mode may read these, too */
#define COUNTER_INSTRUCTIONS CSR_INSTRET
#include "../rtos-calls/per_call.h"

static SemaphoreHandle_t mutex;
static EventGroupHandle_t flags;
static QueueHandle_t own;

/* Counterpart of RIOT's irq_is_enabled(). */
static inline uint32_t interrupts_are_enabled(void)
{
#ifdef TRAPEZE_MONITOR_CALLS
	return monitor_irq_is_enabled();
#else
	return csr_read(CSR_XSTATUS) & XSTATUS_XIE;
#endif
}

static void player(void *arg)
{
	uint32_t message = 0U;
	uint32_t seen = 0U;

	(void)arg;
	measure_loop();
	MEASURE("irq-disable", 1U, seen |= irq_lock());
	irq_unlock(seen);
	MEASURE("irq-restore", 1U, irq_unlock(seen));
	MEASURE("irq-is-enabled", 1U, seen &= interrupts_are_enabled());
	MEASURE("mutex", 1U, {
		(void)xSemaphoreTake(mutex, 0);
		(void)xSemaphoreGive(mutex);
	});
	MEASURE("flags", 1U, {
		(void)xEventGroupSetBits(flags, 1U);
		(void)xEventGroupWaitBits(flags, 1U, pdTRUE, pdFALSE, 0);
	});
	MEASURE("message", 1U, {
		(void)xQueueSend(own, &message, 0);
		(void)xQueueReceive(own, &message, 0);
	});

	(void)xTaskCreate(partner, "partner", configMINIMAL_STACK_SIZE, NULL, 1, NULL);
	/* Each iteration switches to the other task and back. */
	MEASURE("yield-pingpong", 2U, taskYIELD());
	message = 0U;
	MEASURE("message-pingpong", 2U, ping(&message));
	exit(message == CALLS && seen != 0U ? 0 : 1);
}

int main(void)
{
	mutex = xSemaphoreCreateMutex();
	flags = xEventGroupCreate();
	own = xQueueCreate(1, sizeof(uint32_t));
	there = xQueueCreate(1, sizeof(uint32_t));
	back = xQueueCreate(1, sizeof(uint32_t));
	(void)xTaskCreate(player, "player", configMINIMAL_STACK_SIZE * 4, NULL, 1, NULL);
	vTaskStartScheduler();
	return 1;
}
