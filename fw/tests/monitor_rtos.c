/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: FreeRTOS in user mode under a monitor switches by yields and by messages, and its ticks arrive
config: [mcu-user]
monitor: paper
rtos: freertos
args: [-DconfigTRAPEZE_CHECKS=1, -DconfigTICK_RATE_HZ=10000]
engines: [rtl]
qemu: it has no CLIC
expect: |
  a task in user mode
  PASS
*/
#include <stdio.h>
#include <stdlib.h>

#include <FreeRTOS.h>
#include <queue.h>
#include <task.h>

#include <trapeze/timer.h>

#include "test.h"

#define ROUNDS 20U

static QueueHandle_t there;
static QueueHandle_t back;
static volatile uint32_t turns[2];

static void partner(void *arg)
{
	(void)arg;
	while (turns[1] < ROUNDS) {
		turns[1]++;
		taskYIELD();
	}
	for (;;) {
		uint32_t message;

		(void)xQueueReceive(there, &message, portMAX_DELAY);
		message++;
		(void)xQueueSend(back, &message, portMAX_DELAY);
	}
}

static void player(void *arg)
{
	uint32_t message = 0U;

	printf("%s\n", (const char *)arg);
	while (turns[0] < ROUNDS) {
		CHECK_EQ(turns[1], turns[0] + 1U); /* task 1 has begun first */
		turns[0]++;
		taskYIELD();
	}
	for (uint32_t round = 0U; round < ROUNDS; round++) {
		CHECK_EQ(xQueueSend(there, &message, portMAX_DELAY), pdTRUE);
		CHECK_EQ(xQueueReceive(back, &message, portMAX_DELAY), pdTRUE);
	}
	CHECK_EQ(message, ROUNDS);

	/* A critical section that is longer than a tick: the tick comes after it. */
	TickType_t before = xTaskGetTickCount();
	uint64_t begin = timer_now();

	taskENTER_CRITICAL();
	taskENTER_CRITICAL();
	while (timer_now() - begin < 2U * configCPU_CLOCK_HZ / configTICK_RATE_HZ) {
	}
	taskEXIT_CRITICAL();
	CHECK_EQ(xTaskGetTickCount(), before);
	taskEXIT_CRITICAL();
	CHECK(xTaskGetTickCount() != before);

	before = xTaskGetTickCount();
	begin = timer_now();
	vTaskDelay(5);
	CHECK_EQ(xTaskGetTickCount() - before, 5U);
	CHECK(timer_now() - begin > 4U * (configCPU_CLOCK_HZ / configTICK_RATE_HZ));
	exit(test_end());
}

int main(void)
{
	static char greeting[] = "a task in user mode";

	test_begin();
	there = xQueueCreate(1, sizeof(uint32_t));
	back = xQueueCreate(1, sizeof(uint32_t));
	(void)xTaskCreate(player, "player", 1024, greeting, 1, NULL);
	(void)xTaskCreate(partner, "partner", 512, NULL, 1, NULL);
	vTaskStartScheduler();
	return 1;
}
