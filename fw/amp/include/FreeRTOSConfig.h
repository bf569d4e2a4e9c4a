/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Settings of FreeRTOS for the server of jobs; -D and an application's own FreeRTOSConfig.h come
 * first, as for all settings.
 */
#ifndef TRAPEZE_JOBS_CONFIG_H_
#define TRAPEZE_JOBS_CONFIG_H_

/* Jobs share the hart: none waits for another one's end. */
#ifndef configUSE_TIME_SLICING
#define configUSE_TIME_SLICING 1
#endif

/* Without work the hart sleeps (idle.c). A task at the idle task's priority shares the hart with that sleep: give it a
 * higher one, or this 0. */
#ifndef configUSE_IDLE_HOOK
#define configUSE_IDLE_HOOK 1
#endif

/* Calls of prepared jobs borrow the idle task's time. */
#ifndef configTRAPEZE_BORROW
#define configTRAPEZE_BORROW 1
#endif

/* Doorbells of programs take the quick way (port_context.h). The interrupt's number is that of IRQ_PLATFORM(). */
#include <trapeze/map.h>
#ifdef TRAPEZE_BELLS_LINE
#define configTRAPEZE_QUICK_IRQ (16 + TRAPEZE_BELLS_LINE)
#endif

/* As many jobs as the ring has entries, about 20 KiB each, and what an application adds. */
#ifndef configTOTAL_HEAP_SIZE
#define configTOTAL_HEAP_SIZE (2048 * 1024)
#endif

/* A job is one allocation, its task in it. */
#ifndef configSUPPORT_STATIC_ALLOCATION
#define configSUPPORT_STATIC_ALLOCATION 1
#endif
#ifndef configKERNEL_PROVIDED_STATIC_MEMORY
#define configKERNEL_PROVIDED_STATIC_MEMORY 1
#endif

/* A job without room is answered so; it ends no run, with configTRAPEZE_CHECKS neither. */
#ifndef configUSE_MALLOC_FAILED_HOOK
#define configUSE_MALLOC_FAILED_HOOK 0
#endif

#include_next <FreeRTOSConfig.h>

#endif /* TRAPEZE_JOBS_CONFIG_H_ */
