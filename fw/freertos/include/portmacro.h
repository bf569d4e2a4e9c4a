/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief FreeRTOS port for Trapeze: what the kernel asks of a port. The README of fw/freertos
 * explains it; what differs between the interrupt schemes stands in port_scheme.h.
 */
#ifndef PORTMACRO_H
#define PORTMACRO_H

#include <port_scheme.h>

#include <port_common.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- critical sections
 * A critical section masks the interrupts that may call the kernel: with a CLIC the levels up to the maximum, by
 * mintthresh; with the CLINT all interrupts. A section that finds them masked already is inside of another one, and
 * is counted. The outermost section is not counted, since most sections are not nested. A switch that is requested
 * inside of a section comes when the section ends, so the depth is no part of a task's context.
 */
extern uint32_t freertos_critical_depth;

#define portDISABLE_INTERRUPTS() ((void)port_mask())
#define portENABLE_INTERRUPTS()  port_unmask_all()

/* Nested sections are rare, so the code that counts them stands behind the function, hidden from the compiler. A
 * branch that the compiler sees would make it arrange the kernel's loops differently, and an operand would take a
 * register that the function must save. */
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

/** Switches by a function call. Inside a critical section it requests the switch interrupt instead. */
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
 * The compiler saves only the registers that it still needs, which are fewer than those that a function must preserve.
 * In the kernel, where most calls do not switch, a function is better.
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

#ifdef __cplusplus
}
#endif

#endif /* PORTMACRO_H */
