/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Without work the hart sleeps until an interrupt, such as a doorbell of Linux or a tick. An application that has an idle
 * hook of its own replaces this one. */
#include <FreeRTOS.h>
#include <task.h>

#if configUSE_IDLE_HOOK == 1

__attribute__((weak)) void vApplicationIdleHook(void)
{
	__asm__ volatile("wfi" : : : "memory");
}

#endif
