/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: FreeRTOS critical sections that are nested, also inside of portDISABLE_INTERRUPTS(), end with the outermost one
rtos: freertos
args: [-DconfigTRAPEZE_CHECKS=1, -DconfigTICK_RATE_HZ=100000]
expect: |
  PASS
*/
#include <stdlib.h>

#include <FreeRTOS.h>
#include <semphr.h>
#include <task.h>
#include <trapeze/timer.h>

#include "test.h"

/* Some ticks, in counts of mtime. */
#define LONG 10000U

static SemaphoreHandle_t semaphore;
static volatile uint32_t served;

/* A task that is more important than the one that gives the semaphore. */
static void server(void *arg)
{
	(void)arg;
	for (;;) {
		(void)xSemaphoreTake(semaphore, portMAX_DELAY);
		served++;
	}
}

static void spin(void)
{
	uint64_t begin = timer_now();

	while (timer_now() - begin < LONG) {
	}
}

/* Whether ticks come. */
static bool ticks(void)
{
	TickType_t before = xTaskGetTickCount();

	spin();
	return xTaskGetTickCount() != before;
}

static void tester(void *arg)
{
	(void)arg;
	CHECK(ticks());

	taskENTER_CRITICAL();
	taskENTER_CRITICAL();
	taskENTER_CRITICAL();
	(void)xSemaphoreGive(semaphore);
	CHECK_EQ(served, 0U);
	taskEXIT_CRITICAL();
	CHECK(!ticks());
	taskEXIT_CRITICAL();
	CHECK(!ticks());
	CHECK_EQ(served, 0U);
	taskEXIT_CRITICAL();
	CHECK_EQ(served, 1U);
	CHECK(ticks());

	portDISABLE_INTERRUPTS();
	taskENTER_CRITICAL();
	taskEXIT_CRITICAL();
	CHECK(!ticks());
	(void)xSemaphoreGive(semaphore);
	CHECK(!ticks());
	CHECK_EQ(served, 1U);
	portENABLE_INTERRUPTS();
	CHECK_EQ(served, 2U);
	CHECK(ticks());

	(void)xSemaphoreGive(semaphore);
	CHECK_EQ(served, 3U);
	CHECK(ticks());
	CHECK_NO_TRAP();
	exit(test_end());
}

int main(void)
{
	test_begin();
	semaphore = xSemaphoreCreateBinary();
	CHECK_EQ(xTaskCreate(server, "server", configMINIMAL_STACK_SIZE, NULL, 2, NULL), pdPASS);
	CHECK_EQ(xTaskCreate(tester, "tester", configMINIMAL_STACK_SIZE, NULL, 1, NULL), pdPASS);
	vTaskStartScheduler();
	return 1;
}
