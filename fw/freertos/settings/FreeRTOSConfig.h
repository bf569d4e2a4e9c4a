/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Default settings of FreeRTOS: the leanest switch, every API function (the linker drops what
 * is not called).
 *
 * To change one: -DconfigTICK_RATE_HZ=100 on the command line of `trapeze cc`, or a FreeRTOSConfig.h
 * beside the application's source, which may set some and end with
 * `#include_next <FreeRTOSConfig.h>`.
 *
 * Settings of this port alone, interrupt levels among them, stand in port_scheme.h. This file is read by
 * assembly sources, too.
 *
 * Source of the names: FreeRTOS Kernel V11.2.0, include/FreeRTOS.h; those that begin with
 * configTRAPEZE_ are this port's.
 */
#ifndef TRAPEZE_FREERTOS_CONFIG_H_
#define TRAPEZE_FREERTOS_CONFIG_H_

/* 1 while developing: assertions, stack checks at every switch and failed allocations end the run
 * with a message that names the task. They cost cycles in every function of the kernel. */
#ifndef configTRAPEZE_CHECKS
#define configTRAPEZE_CHECKS 0
#endif

/* 1: tasks in user mode can borrow the time of others (port_context.h). Some instructions in every trap. For the port with
 * protected tasks. */
#ifndef configTRAPEZE_BORROW
#define configTRAPEZE_BORROW 0
#endif

/* Scheduler */
#ifndef configUSE_PREEMPTION
#define configUSE_PREEMPTION 1
#endif
#ifndef configUSE_TIME_SLICING
#define configUSE_TIME_SLICING 0
#endif
#ifndef configUSE_PORT_OPTIMISED_TASK_SELECTION
#define configUSE_PORT_OPTIMISED_TASK_SELECTION 1
#endif
#ifndef configMAX_PRIORITIES
#define configMAX_PRIORITIES 8
#endif
#ifndef configIDLE_SHOULD_YIELD
#define configIDLE_SHOULD_YIELD 0
#endif
#ifndef configUSE_TICKLESS_IDLE
#define configUSE_TICKLESS_IDLE 0
#endif
#ifndef configUSE_IDLE_HOOK
#define configUSE_IDLE_HOOK 0
#endif
#ifndef configUSE_TICK_HOOK
#define configUSE_TICK_HOOK 0
#endif

/* Time: mtime counts clock cycles. */
#ifndef configCPU_CLOCK_HZ
#define configCPU_CLOCK_HZ 100000000UL
#endif
#ifndef configTICK_RATE_HZ
#define configTICK_RATE_HZ 1000
#endif
#ifndef configTICK_TYPE_WIDTH_IN_BITS
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#endif

/* Memory: words of a stack, bytes of the heap. An interrupt takes 128 bytes of the task's stack (64
 * with ilp32e) and, before it is on the interrupt stack, another frame for each level above. */
#ifndef configMINIMAL_STACK_SIZE
#define configMINIMAL_STACK_SIZE 256
#endif
#ifndef configTOTAL_HEAP_SIZE
#define configTOTAL_HEAP_SIZE (64 * 1024)
#endif
#ifndef configMAX_TASK_NAME_LEN
#define configMAX_TASK_NAME_LEN 16
#endif
#ifndef configSUPPORT_DYNAMIC_ALLOCATION
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#endif
#ifndef configSUPPORT_STATIC_ALLOCATION
#define configSUPPORT_STATIC_ALLOCATION 0
#endif

/* What there is */
#ifndef configUSE_TASK_NOTIFICATIONS
#define configUSE_TASK_NOTIFICATIONS 1
#endif
#ifndef configUSE_MUTEXES
#define configUSE_MUTEXES 1
#endif
#ifndef configUSE_RECURSIVE_MUTEXES
#define configUSE_RECURSIVE_MUTEXES configUSE_MUTEXES
#endif
#ifndef configUSE_COUNTING_SEMAPHORES
#define configUSE_COUNTING_SEMAPHORES 1
#endif
#ifndef configUSE_TIMERS
#define configUSE_TIMERS 0
#endif
#ifndef configTIMER_TASK_PRIORITY
#define configTIMER_TASK_PRIORITY (configMAX_PRIORITIES - 1)
#endif
#ifndef configTIMER_QUEUE_LENGTH
#define configTIMER_QUEUE_LENGTH 16
#endif
#ifndef configTIMER_TASK_STACK_DEPTH
#define configTIMER_TASK_STACK_DEPTH configMINIMAL_STACK_SIZE
#endif

#define INCLUDE_vTaskPrioritySet            1
#define INCLUDE_uxTaskPriorityGet           1
#define INCLUDE_vTaskDelete                 1
#define INCLUDE_vTaskSuspend                1
#define INCLUDE_vTaskDelay                  1
#define INCLUDE_xTaskDelayUntil             1
#define INCLUDE_xTaskGetSchedulerState      1
#define INCLUDE_xTaskGetCurrentTaskHandle   1
#define INCLUDE_uxTaskGetStackHighWaterMark 1
#define INCLUDE_xTaskGetIdleTaskHandle      1
#define INCLUDE_eTaskGetState               1
#define INCLUDE_xTaskAbortDelay             1
#define INCLUDE_xTimerPendFunctionCall      configUSE_TIMERS
#define INCLUDE_xSemaphoreGetMutexHolder    configUSE_MUTEXES

/* Checks (hooks.c) */
#if configTRAPEZE_CHECKS
#ifndef configCHECK_FOR_STACK_OVERFLOW
#define configCHECK_FOR_STACK_OVERFLOW 2
#endif
#ifndef configUSE_MALLOC_FAILED_HOOK
#define configUSE_MALLOC_FAILED_HOOK 1
#endif
#ifndef configASSERT
#define configASSERT(condition)                                                                    \
	((condition) ? (void)0 : freertos_assert_failed(configTRAPEZE_PLACE, #condition))
#endif
#else
#ifndef configCHECK_FOR_STACK_OVERFLOW
#define configCHECK_FOR_STACK_OVERFLOW 0
#endif
#ifndef configUSE_MALLOC_FAILED_HOOK
#define configUSE_MALLOC_FAILED_HOOK 0
#endif
#endif

#include <freertos_hooks.h>

#endif /* TRAPEZE_FREERTOS_CONFIG_H_ */
