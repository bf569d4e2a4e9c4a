/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * What calls cost in user mode under a monitor, and in machine mode: RIOT's runtime_coreapis, thread_yield_pingpong and
 * msg_pingpong, restated for FreeRTOS. The same source is built for both. One line for each: cycles and instructions of one
 * call, pair of calls, switch or message, without the loop around it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <FreeRTOS.h>
#include <event_groups.h>
#include <queue.h>
#include <semphr.h>
#include <task.h>
#include <trapeze/csr.h>
#include <trapeze/irq.h>

#define CALLS 64U

static SemaphoreHandle_t mutex;
static EventGroupHandle_t flags;
static QueueHandle_t own;
static QueueHandle_t there;
static QueueHandle_t back;

struct stamp {
	uint32_t cycle;
	uint32_t instruction;
};

/* Both modes read these. */
static struct stamp now(void)
{
	return (struct stamp){csr_read(CSR_CYCLE), csr_read(CSR_INSTRET)};
}

static struct stamp loop; /* what the loop and the stamps take */

static void show(const char *name, struct stamp begin, uint32_t each)
{
	struct stamp end = now();

	printf("%s cycles %lu instructions %lu\n", name,
	       (unsigned long)((end.cycle - begin.cycle - loop.cycle) / each),
	       (unsigned long)((end.instruction - begin.instruction - loop.instruction) / each));
}

#define MEASURE(name, each, call)                                                                  \
	do {                                                                                       \
		struct stamp begin_ = now();                                                       \
                                                                                                   \
		for (uint32_t i_ = 0; i_ < CALLS; i_++) {                                          \
			call;                                                                      \
			__asm__ volatile("" : : : "memory");                                       \
		}                                                                                  \
		show(name, begin_, CALLS *(each));                                                 \
	} while (0)

static void measure_loop(void)
{
	struct stamp begin = now();

	for (uint32_t i = 0; i < CALLS; i++) {
		__asm__ volatile("" : : : "memory");
	}

	struct stamp end = now();

	loop.cycle = end.cycle - begin.cycle;
	loop.instruction = end.instruction - begin.instruction;
}

/* RIOT's irq_is_enabled(). */
static inline uint32_t interrupts_are_enabled(void)
{
#ifdef TRAPEZE_MONITOR_CALLS
	return monitor_irq_is_enabled();
#else
	return csr_read(CSR_XSTATUS) & XSTATUS_XIE;
#endif
}

static void partner(void *arg)
{
	(void)arg;
	for (uint32_t call = 0; call < CALLS; call++) {
		taskYIELD();
	}
	for (;;) {
		uint32_t message;

		(void)xQueueReceive(there, &message, portMAX_DELAY);
		message++;
		(void)xQueueSend(back, &message, portMAX_DELAY);
	}
}

static void ping(uint32_t *message)
{
	(void)xQueueSend(there, message, portMAX_DELAY);
	(void)xQueueReceive(back, message, portMAX_DELAY);
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
	/* Each time to the other task and back. */
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
