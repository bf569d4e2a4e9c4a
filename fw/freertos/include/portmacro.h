/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief FreeRTOS port for Trapeze: what the kernel asks of a port. The README of fw/freertos
 * explains it; what differs between the interrupt schemes stands in port_scheme.h.
 */
#ifndef PORTMACRO_H
#define PORTMACRO_H

#include <port_scheme.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- types */
#define portCHAR              char
#define portFLOAT             float
#define portDOUBLE            double
#define portLONG              long
#define portSHORT             short
#define portSTACK_TYPE        uint32_t
#define portBASE_TYPE         int32_t
#define portUBASE_TYPE        uint32_t
#define portPOINTER_SIZE_TYPE uint32_t

#if configTICK_TYPE_WIDTH_IN_BITS != TICK_TYPE_WIDTH_32_BITS
#error "configTICK_TYPE_WIDTH_IN_BITS: this port has ticks of 32 bits"
#endif

typedef uint32_t StackType_t;
typedef int32_t BaseType_t;
typedef uint32_t UBaseType_t;
typedef uint32_t TickType_t;

#define portMAX_DELAY               ((TickType_t)0xffffffffUL)
#define portTICK_TYPE_IS_ATOMIC     1
#define portSTACK_GROWTH            (-1)
#define portTICK_PERIOD_MS          ((TickType_t)1000 / configTICK_RATE_HZ)
#define portBYTE_ALIGNMENT          16
#define portCRITICAL_NESTING_IN_TCB 0

/* ---------------------------------------------------------------- critical sections
 * They keep back what may call the kernel: with a CLIC the levels up to the maximum, by mintthresh;
 * with the CLINT everything. One that finds that kept back already is inside of another, and is
 * counted; the outermost is not, as mostly there is no other. A switch that is wanted inside of one
 * comes when it ends, so that the depth is no part of a task's context.
 */
extern uint32_t freertos_critical_depth;

#define portDISABLE_INTERRUPTS() ((void)port_mask())
#define portENABLE_INTERRUPTS()  port_unmask_all()

/* Counting is rare and stands behind the function. The compiler knows nothing of it: a branch that it
 * sees keeps it from arranging the kernel's loops as it does without, and an operand takes a register
 * that the function has to save. */
__attribute__((always_inline)) static inline void port_enter_critical(void)
{
	__asm__ volatile(PORT_MASK_OR("t0", "1f") "\n"
						  "2:\n\t"
						  ".subsection 1\n"
						  "1:\tlw t0, freertos_critical_depth\n\t"
						  "addi t0, t0, 1\n\t"
						  "sw t0, freertos_critical_depth, t1\n\t"
						  "j 2b\n\t"
						  ".previous"
			 :
			 : "i"(configMAX_SYSCALL_INTERRUPT_PRIORITY)
			 : "t0", "t1", "memory");
}

__attribute__((always_inline)) static inline void port_exit_critical(void)
{
	__asm__ volatile("lw t0, freertos_critical_depth\n\t"
			 "bnez t0, 1f\n\t" PORT_UNMASK_ALL "\n"
			 "2:\n\t"
			 ".subsection 1\n"
			 "1:\taddi t0, t0, -1\n\t"
			 "sw t0, freertos_critical_depth, t1\n\t"
			 "j 2b\n\t"
			 ".previous"
			 :
			 :
			 : "t0", "t1", "memory");
}

#define portENTER_CRITICAL() port_enter_critical()
#define portEXIT_CRITICAL()  port_exit_critical()

#define portSET_INTERRUPT_MASK_FROM_ISR()        port_mask()
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(saved) port_unmask(saved)

/* ---------------------------------------------------------------- switches */

/** The switch as a function call; inside a critical section it requests the interrupt instead. */
void freertos_yield(void);

/** The same for taskYIELD(), for callers that keep nothing in registers but s0. */
void freertos_yield_bare(void);

#ifdef __riscv_32e
#define PORT_YIELD_CLOBBERS_                                                                       \
	"ra", "t0", "t1", "t2", "a0", "a1", "a2", "a3", "a4", "a5", "s1", "memory"
#else
#define PORT_YIELD_CLOBBERS_                                                                       \
	"ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a0", "a1", "a2", "a3", "a4", "a5", "a6",  \
	    "a7", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "memory"
#endif

#if configTRAPEZE_YIELD_BY_INTERRUPT
#define portYIELD()            port_request_switch_now()
#define portYIELD_WITHIN_API() port_request_switch_now()
#else
/*
 * The compiler keeps what it still needs of the registers, which is less than all that a function
 * has to preserve. In the kernel, where most calls do not switch, a function is better.
 */
#define portYIELD()            __asm__ volatile("call freertos_yield_bare" : : : PORT_YIELD_CLOBBERS_)
#define portYIELD_WITHIN_API() freertos_yield()
#endif

#define portEND_SWITCHING_ISR(wanted)                                                              \
	do {                                                                                       \
		if ((wanted) != pdFALSE) {                                                         \
			port_request_switch();                                                     \
		}                                                                                  \
	} while (0)
#define portYIELD_FROM_ISR(wanted) portEND_SWITCHING_ISR(wanted)

/* ---------------------------------------------------------------- choice of the next task */
#if configUSE_PORT_OPTIMISED_TASK_SELECTION == 1
#if configMAX_PRIORITIES > 32
#error "configUSE_PORT_OPTIMISED_TASK_SELECTION: at most 32 priorities, or set it to 0"
#endif
#define portRECORD_READY_PRIORITY(priority, ready) ((ready) |= (1UL << (priority)))
#define portRESET_READY_PRIORITY(priority, ready)  ((ready) &= ~(1UL << (priority)))
#define portGET_HIGHEST_PRIORITY(top, ready)       ((top) = 31UL - (uint32_t)__builtin_clz(ready))
#endif

/* ---------------------------------------------------------------- resuming before the scheduler runs
 * Where every task has been suspended by then, the kernel has no current task, but vTaskResume()
 * compares priorities with it. The task that is resumed becomes it, as the first one that is created
 * does. Expanded in tasks.c. An application's own macros of these names have to do the same.
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

/* ---------------------------------------------------------------- tickless idle */
#if configUSE_TICKLESS_IDLE == 1
void freertos_sleep(TickType_t ticks);
#define portSUPPRESS_TICKS_AND_SLEEP(ticks) freertos_sleep(ticks)
#endif

/* ---------------------------------------------------------------- checks */
#if configASSERT_DEFINED == 1
/** Fails if an interrupt above the maximum level calls the kernel. */
void freertos_check_level(void);
#define portASSERT_IF_INTERRUPT_PRIORITY_INVALID() freertos_check_level()
#endif

#define portTASK_FUNCTION_PROTO(function, parameters) void function(void *parameters)
#define portTASK_FUNCTION(function, parameters)       void function(void *parameters)

#define portNOP()            __asm__ volatile("nop")
#define portINLINE           __inline
#define portFORCE_INLINE     inline __attribute__((always_inline))
#define portMEMORY_BARRIER() __asm__ volatile("" : : : "memory")

#ifdef __cplusplus
}
#endif

#endif /* PORTMACRO_H */
