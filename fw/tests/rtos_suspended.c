/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: FreeRTOS tasks that are all suspended before the scheduler starts can be resumed, and run by priority
rtos: freertos
args: [-DconfigTRAPEZE_CHECKS=1]
expect: |
  PASS
*/
#include <stdlib.h>

#include <FreeRTOS.h>
#include <task.h>

#include "test.h"

static TaskHandle_t low;
static TaskHandle_t middle;
static TaskHandle_t high;
static uint32_t ran;

static void first(void *arg)
{
	(void)arg;
	CHECK_EQ(ran++, 0U);
	vTaskDelete(NULL);
}

static void second(void *arg)
{
	(void)arg;
	CHECK_EQ(ran++, 1U);
	CHECK_EQ(eTaskGetState(middle), eSuspended);
	CHECK_NO_TRAP();
	exit(test_end());
}

static void never(void *arg)
{
	(void)arg;
	CHECK(false);
}

int main(void)
{
	test_begin();
	CHECK_EQ(xTaskCreate(second, "low", configMINIMAL_STACK_SIZE, NULL, 1, &low), pdPASS);
	CHECK_EQ(xTaskCreate(never, "middle", configMINIMAL_STACK_SIZE, NULL, 2, &middle), pdPASS);
	CHECK_EQ(xTaskCreate(first, "high", configMINIMAL_STACK_SIZE, NULL, 3, &high), pdPASS);
	vTaskSuspend(high);
	vTaskSuspend(low);
	vTaskSuspend(middle);
	CHECK(xTaskGetCurrentTaskHandle() == NULL);

	vTaskResume(low);
	CHECK(xTaskGetCurrentTaskHandle() == low);
	CHECK_EQ(eTaskGetState(low), eRunning);
	vTaskResume(high);
	CHECK_EQ(eTaskGetState(high), eReady);
	vTaskStartScheduler();
	return 1;
}
