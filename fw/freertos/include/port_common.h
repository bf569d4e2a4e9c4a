/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief FreeRTOS port for Trapeze: what the ports for machine mode and for user mode have in common.
 * Each portmacro.h includes it.
 */
#ifndef PORT_COMMON_H_
#define PORT_COMMON_H_

#include <FreeRTOSConfig.h>
#include <stdint.h>

/* ---------------------------------------------------------------- types */
#define portCHAR   char
#define portFLOAT  float
#define portDOUBLE double
#define portLONG   long
#define portSHORT  short
#if __riscv_xlen == 64
#define portSTACK_TYPE        uint64_t
#define portBASE_TYPE         int64_t
#define portUBASE_TYPE        uint64_t
#define portPOINTER_SIZE_TYPE uint64_t
#else
#define portSTACK_TYPE        uint32_t
#define portBASE_TYPE         int32_t
#define portUBASE_TYPE        uint32_t
#define portPOINTER_SIZE_TYPE uint32_t
#endif

/* ---------------------------------------------------------------- settings without a meaning for this port */
#if configTICK_TYPE_WIDTH_IN_BITS != TICK_TYPE_WIDTH_32_BITS
#error "configTICK_TYPE_WIDTH_IN_BITS: this port has ticks of 32 bits; leave it out"
#endif
#if configTICK_RATE_HZ < 1 || configTICK_RATE_HZ > configCPU_CLOCK_HZ
#error "configTICK_RATE_HZ: takes 1 to configCPU_CLOCK_HZ"
#endif
#if defined(configNUMBER_OF_CORES) && configNUMBER_OF_CORES > 1
#error "configNUMBER_OF_CORES: this port is for one hart; build an image for each (--hart)"
#endif
#if defined(configUSE_CO_ROUTINES) && configUSE_CO_ROUTINES == 1
#error "configUSE_CO_ROUTINES: the kernel is built without co-routines; use tasks"
#endif
#if defined(configUSE_NEWLIB_REENTRANT) && configUSE_NEWLIB_REENTRANT == 1
#error "configUSE_NEWLIB_REENTRANT: the C library is picolibc; set configUSE_PICOLIBC_TLS"
#endif
#if configUSE_MUTEXES == 0 && configUSE_RECURSIVE_MUTEXES == 1
#error "configUSE_RECURSIVE_MUTEXES: needs configUSE_MUTEXES; set both to 0, or to 1"
#endif

typedef portSTACK_TYPE StackType_t;
typedef portBASE_TYPE BaseType_t;
typedef portUBASE_TYPE UBaseType_t;
typedef uint32_t TickType_t;

#define portMAX_DELAY               ((TickType_t)0xffffffffUL)
#define portTICK_TYPE_IS_ATOMIC     1
#define portSTACK_GROWTH            (-1)
#define portTICK_PERIOD_MS          ((TickType_t)1000 / configTICK_RATE_HZ)
#define portBYTE_ALIGNMENT          16
#define portCRITICAL_NESTING_IN_TCB 0

/* ---------------------------------------------------------------- choice of the next task */
#if configUSE_PORT_OPTIMISED_TASK_SELECTION == 1
#if configMAX_PRIORITIES > 32
#error "configUSE_PORT_OPTIMISED_TASK_SELECTION: at most 32 priorities, or set it to 0"
#endif
#define portRECORD_READY_PRIORITY(priority, ready) ((ready) |= (1UL << (priority)))
#define portRESET_READY_PRIORITY(priority, ready)  ((ready) &= ~(1UL << (priority)))
/* vTaskSwitchContext() alone uses it, where the scheduler is not suspended. The label tells GCC that this is the usual
 * case, which no branch has to be taken for; xor is one instruction, a difference with 31 are two. */
#define portGET_HIGHEST_PRIORITY(top, ready)                                                       \
	do {                                                                                       \
		__label__ port_chooses;                                                            \
port_chooses:                                                                                      \
		__attribute__((hot, unused));                                                      \
		(top) = (uint32_t)__builtin_clz((uint32_t)(ready)) ^ 31U;                          \
	} while (0)
#endif

/* There is nothing to do with the task that was chosen. The kernel's default reads pxCurrentTCB once more. */
#ifndef portTASK_SWITCH_HOOK
#define portTASK_SWITCH_HOOK(task)
#endif

/* ---------------------------------------------------------------- run-time statistics count cycles */
#if defined(configGENERATE_RUN_TIME_STATS) && configGENERATE_RUN_TIME_STATS == 1
#ifndef configRUN_TIME_COUNTER_TYPE
#define configRUN_TIME_COUNTER_TYPE uint64_t
#endif
#ifndef portCONFIGURE_TIMER_FOR_RUN_TIME_STATS
#define portCONFIGURE_TIMER_FOR_RUN_TIME_STATS()
#endif
#if !defined(portGET_RUN_TIME_COUNTER_VALUE) && !defined(portALT_GET_RUN_TIME_COUNTER_VALUE)
#include <trapeze/timer.h>
#define portGET_RUN_TIME_COUNTER_VALUE() timer_cycles()
#endif
#endif

/* ---------------------------------------------------------------- resuming before the scheduler runs
 * If every task has been suspended by then, the kernel has no current task, but vTaskResume() compares priorities
 * with it. So the task that is resumed becomes the current one, as the first task that is created does. Expanded in
 * tasks.c. An application with macros of its own of these names must do the same.
 */
#define PORT_MAKE_CURRENT_(task)                                                                   \
	do {                                                                                       \
		if (pxCurrentTCB == NULL) {                                                        \
			pxCurrentTCB = (task);                                                     \
		}                                                                                  \
	} while (0)
#ifndef traceTASK_RESUME
#define traceTASK_RESUME(task) PORT_MAKE_CURRENT_(task)
#endif
#ifndef traceTASK_RESUME_FROM_ISR
#define traceTASK_RESUME_FROM_ISR(task) PORT_MAKE_CURRENT_(task)
#endif

/* ---------------------------------------------------------------- the rest */
#define portTASK_FUNCTION_PROTO(function, parameters) void function(void *parameters)
#define portTASK_FUNCTION(function, parameters)       void function(void *parameters)

#define portNOP()            __asm__ volatile("nop")
#define portINLINE           __inline
#define portFORCE_INLINE     inline __attribute__((always_inline))
#define portMEMORY_BARRIER() __asm__ volatile("" : : : "memory")

#endif /* PORT_COMMON_H_ */
