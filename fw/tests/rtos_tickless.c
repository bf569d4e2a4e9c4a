/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: FreeRTOS without ticks while all tasks sleep - time goes on, and hardly any instructions are executed
rtos: freertos
args: [-DconfigTRAPEZE_CHECKS=1, -DconfigUSE_TICKLESS_IDLE=1, -DconfigTICK_RATE_HZ=20000]
engines: [rtl]
qemu: its mtime is no count of clock cycles
expect: |
  PASS
*/
#include <stdbool.h>
#include <stdlib.h>

#include <FreeRTOS.h>
#include <task.h>
#include <trapeze/timer.h>

#include "test.h"

#define CYCLES (configCPU_CLOCK_HZ / configTICK_RATE_HZ)

static volatile uint32_t naps;

static void napper(void *arg)
{
	(void)arg;
	for (;;) {
		vTaskDelay(7);
		naps++;
	}
}

static void sleeper(void *arg)
{
	(void)arg;
	vTaskDelay(1);
	for (TickType_t ticks = 2; ticks < 60U; ticks += 19U) {
		TickType_t tick = xTaskGetTickCount();
		uint32_t time = (uint32_t)timer_now();
		uint32_t instructions = (uint32_t)timer_instructions();

		vTaskDelay(ticks);
		instructions = (uint32_t)timer_instructions() - instructions;
		time = (uint32_t)timer_now() - time;
		CHECK_EQ(xTaskGetTickCount() - tick, ticks);
		/* The first tick had already begun. The time of the switches is small compared with a tick. */
		CHECK(time > (ticks - 1U) * CYCLES && time < (ticks + 1U) * CYCLES);
		CHECK(instructions < time / 4U + CYCLES);
		vTaskDelay(1);
	}
	CHECK_EQ(naps, xTaskGetTickCount() / 7U);
	exit(test_end());
}

int main(void)
{
	test_begin();
	CHECK_EQ(xTaskCreate(sleeper, "sleeper", configMINIMAL_STACK_SIZE, NULL, 1, NULL), pdPASS);
	CHECK_EQ(xTaskCreate(napper, "napper", configMINIMAL_STACK_SIZE, NULL, 2, NULL), pdPASS);
	vTaskStartScheduler();
	return 1;
}
