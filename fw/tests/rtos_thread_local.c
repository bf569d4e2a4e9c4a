/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: FreeRTOS with thread-local storage of the C library - each task has its variables and its errno
rtos: freertos
args: [-DconfigTRAPEZE_CHECKS=1, -DconfigUSE_PICOLIBC_TLS=1, -DconfigTICK_RATE_HZ=20000]
engines: [rtl]
qemu: its mtime is no count of clock cycles
expect: |
  PASS
*/
#include <errno.h>
#include <stdlib.h>

#include <FreeRTOS.h>
#include <task.h>

#include "test.h"

static _Thread_local int seven = 7;
static _Thread_local int zero;
static _Thread_local char wide[24] __attribute__((aligned(16)));

static void other(void *arg)
{
	(void)arg;
	CHECK_EQ(seven, 7);
	CHECK_EQ(zero, 0);
	seven = 1;
	zero = 2;
	errno = 3;
	wide[23] = 4;
	vTaskDelay(2);
	CHECK_EQ(seven, 1);
	CHECK_EQ(zero, 2);
	CHECK_EQ(errno, 3);
	CHECK_EQ(wide[23], 4);
	vTaskSuspend(NULL);
}

static void last(void *arg)
{
	(void)arg;
	vTaskDelay(1);
	CHECK_EQ(seven, 7);
	CHECK_EQ(zero, 0);
	CHECK_EQ(errno, 0);
	CHECK_EQ(wide[23], 0);
	CHECK_EQ((unsigned int)(uintptr_t)wide % 16U, 0);
	seven = 9;
	errno = 5;
	vTaskDelay(4);
	CHECK_EQ(seven, 9);
	CHECK_EQ(errno, 5);
	exit(test_end());
}

int main(void)
{
	test_begin();
	xTaskCreate(last, "last", 512, NULL, 2, NULL);
	xTaskCreate(other, "other", 512, NULL, 3, NULL);
	vTaskStartScheduler();
	return 1;
}
