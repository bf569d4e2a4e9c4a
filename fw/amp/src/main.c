/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* The firmware that serves jobs and does nothing else; a program with a main() of its own replaces it. */
#include <FreeRTOS.h>
#include <task.h>

#include <trapeze/jobs.h>

__attribute__((weak)) int main(void)
{
	jobs_start();
	vTaskStartScheduler();
	return 1; /* no memory for the idle task */
}
