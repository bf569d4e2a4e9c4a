/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a FreeRTOS task that returns ends the run, by name
rtos: freertos
exit: 134
expect_regex: "\nFreeRTOS: assertion failed: tasks do not return.* in task 'short'\n"
*/
#include <FreeRTOS.h>
#include <task.h>

static void brief(void *arg)
{
	(void)arg;
	taskYIELD();
}

int main(void)
{
	if (xTaskCreate(brief, "short", configMINIMAL_STACK_SIZE, NULL, 1, NULL) != pdPASS) {
		return 2;
	}
	vTaskStartScheduler();
	return 1;
}
