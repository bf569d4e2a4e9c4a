/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a FreeRTOS task that uses up its stack ends the run, by name
rtos: freertos
args: [-DconfigTRAPEZE_CHECKS=1]
exit: 134
expect: "\nFreeRTOS: stack overflow in task 'deep'\n"
*/
#include <FreeRTOS.h>
#include <task.h>

static volatile uint32_t words[64];

static uint32_t descend(uint32_t depth)
{
	volatile uint32_t here[8];

	here[depth % 8U] = depth;
	if (depth == 0U) {
		taskYIELD();
		return words[0];
	}
	return descend(depth - 1U) + here[depth % 8U];
}

static void deep(void *arg)
{
	(void)arg;
	taskYIELD();
	for (uint32_t depth = 1;; depth++) {
		words[0] = descend(depth);
	}
}

static void other(void *arg)
{
	(void)arg;
	for (;;) {
		taskYIELD();
	}
}

int main(void)
{
	/* Allocated first, so that the overflowing stack runs into this block and not into a control block. */
	(void)pvPortMalloc(4096);
	if (xTaskCreate(deep, "deep", 200, NULL, 1, NULL) != pdPASS ||
	    xTaskCreate(other, "other", 200, NULL, 1, NULL) != pdPASS) {
		return 2;
	}
	vTaskStartScheduler();
	return 1;
}
