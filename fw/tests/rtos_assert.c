/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a FreeRTOS assertion that fails ends the run with condition, place and task
rtos: freertos
args: [-DconfigTRAPEZE_CHECKS=1]
exit: 134
expect_regex: "\nFreeRTOS: assertion failed: [(] ?pxQueue ?[)], .+queue[.]c:[0-9]+ in task .careless.\n"
*/
#include <FreeRTOS.h>
#include <queue.h>
#include <task.h>

static void careless(void *arg)
{
	uint32_t item;

	(void)arg;
	vTaskDelay(1);
	(void)xQueueReceive(NULL, &item, 0);
}

int main(void)
{
	if (xTaskCreate(careless, "careless", configMINIMAL_STACK_SIZE, NULL, 1, NULL) != pdPASS) {
		return 2;
	}
	vTaskStartScheduler();
	return 1;
}
