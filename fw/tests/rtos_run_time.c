/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: FreeRTOS with run-time statistics - the cycles of all tasks add up to the time that has passed
rtos: freertos
args: [-DconfigTRAPEZE_CHECKS=1, -DconfigGENERATE_RUN_TIME_STATS=1, -DconfigUSE_TRACE_FACILITY=1, -DconfigTICK_RATE_HZ=20000]
engines: [rtl]
qemu: its mtime is no count of clock cycles
expect: |
  PASS
*/
#include <stdlib.h>
#include <string.h>

#include <FreeRTOS.h>
#include <task.h>

#include "test.h"

#define TICK_CYCLES (configCPU_CLOCK_HZ / configTICK_RATE_HZ)

static void busy(void *arg)
{
	(void)arg;
	for (;;) {
		for (volatile int i = 0; i < 1000; i++) {
		}
		vTaskDelay(5);
	}
}

static void judge(void *arg)
{
	TaskStatus_t of[3];
	configRUN_TIME_COUNTER_TYPE total, sum = 0;

	(void)arg;
	vTaskDelay(10);
	CHECK_EQ(uxTaskGetSystemState(of, 3, &total), 3);
	for (unsigned int i = 0; i < 3U; i++) {
		sum += of[i].ulRunTimeCounter;
		if (strcmp(of[i].pcTaskName, "busy") == 0) {
			CHECK(of[i].ulRunTimeCounter > 2000U &&
			      of[i].ulRunTimeCounter < 8U * TICK_CYCLES);
		}
	}
	/* The counter of the running task does not include its time since the last switch. The counter of the first
	 * task includes the time before the scheduler started.
	 */
	CHECK(sum <= total);
	CHECK(total - sum < total / 4U);
	CHECK(total > 9U * TICK_CYCLES);
	exit(test_end());
}

int main(void)
{
	test_begin();
	xTaskCreate(judge, "judge", 512, NULL, 2, NULL);
	xTaskCreate(busy, "busy", 512, NULL, 1, NULL);
	vTaskStartScheduler();
	return 1;
}
