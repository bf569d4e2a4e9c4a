/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* What the kernel calls when something went wrong: a message that names the task, and the end of the
 * run. An application may define the hooks (vApplication...) itself. */
#include <FreeRTOS.h>
#include <freertos_hooks.h>
#include <task.h>

#include <trapeze/console.h>
#include <trapeze/exit.h>

/* The prototypes are the kernel's; it declares those of hooks that are in use. */
void vApplicationStackOverflowHook(TaskHandle_t task, char *name);
void vApplicationMallocFailedHook(void);

__attribute__((noreturn)) static void end(const char *name)
{
	console_puts(" in task '");
	console_puts(name);
	console_puts("'\n");
	trapeze_exit(TRAPEZE_EXIT_ASSERTION);
}

static const char *running(void)
{
#if INCLUDE_xTaskGetSchedulerState == 1 || configUSE_TIMERS == 1
	if (xTaskGetSchedulerState() == taskSCHEDULER_NOT_STARTED) {
		return "(none)";
	}
#endif
	return pcTaskGetName(NULL);
}

void freertos_assert_failed(const char *place, const char *condition)
{
	portDISABLE_INTERRUPTS();
	console_puts("\nFreeRTOS: assertion failed: ");
	console_puts(condition);
	console_puts(", ");
	console_puts(place);
	end(running());
}

__attribute__((weak)) void vApplicationStackOverflowHook(TaskHandle_t task, char *name)
{
	(void)task;
	portDISABLE_INTERRUPTS();
	console_puts("\nFreeRTOS: stack overflow");
	end(name);
}

__attribute__((weak)) void vApplicationMallocFailedHook(void)
{
	portDISABLE_INTERRUPTS();
	console_puts("\nFreeRTOS: heap exhausted");
	end(running());
}
