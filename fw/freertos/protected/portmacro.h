/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief FreeRTOS port with protected tasks: what the kernel asks of a port. The README of fw/freertos
 * explains it.
 */
#ifndef PORTMACRO_H
#define PORTMACRO_H

#include <port_common.h>

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/csr.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- critical sections
 * Interrupts are off. The depth is a part of a task's context: a switch inside of a section is made at
 * once, and the section goes on behind it.
 */
extern csr_value_t freertos_critical_depth;

#define portDISABLE_INTERRUPTS() csr_clear(CSR_MSTATUS, MSTATUS_MIE)
#define portENABLE_INTERRUPTS()  csr_set(CSR_MSTATUS, MSTATUS_MIE)

static inline void port_enter_critical(void)
{
	portDISABLE_INTERRUPTS();
	freertos_critical_depth++;
}

static inline void port_exit_critical(void)
{
	freertos_critical_depth--;
	if (freertos_critical_depth == 0U) {
		portENABLE_INTERRUPTS();
	}
}

#define portENTER_CRITICAL() port_enter_critical()
#define portEXIT_CRITICAL()  port_exit_critical()

/* Handlers run with interrupts off. */
#define portSET_INTERRUPT_MASK_FROM_ISR()        0
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(saved) ((void)(saved))

/* ---------------------------------------------------------------- switches */

/** Requests a switch for the end of the handler. */
extern volatile bool freertos_switch_wanted;

#define portYIELD() __asm__ volatile("ecall" : : : "memory")

/** Of the exception and interrupt handlers (port_context.h). */
extern struct port_context port_kernel_context;

/* A function of the kernel that puts the running task away can be called by a handler, too: the switch comes at the
 * handler's end then. */
static inline void port_yield_within_api(void)
{
	if (csr_read(CSR_MSCRATCH) == (csr_value_t)(uintptr_t)&port_kernel_context) {
		freertos_switch_wanted = true;
	} else {
		portYIELD();
	}
}
#define portYIELD_WITHIN_API() port_yield_within_api()

#define portEND_SWITCHING_ISR(wanted)                                                              \
	do {                                                                                       \
		if ((wanted) != pdFALSE) {                                                         \
			freertos_switch_wanted = true;                                             \
		}                                                                                  \
	} while (0)
#define portYIELD_FROM_ISR(wanted) portEND_SWITCHING_ISR(wanted)

#if configUSE_TICKLESS_IDLE == 1
#error "configUSE_TICKLESS_IDLE: the port with protected tasks has none"
#endif

#ifdef __cplusplus
}
#endif

#endif /* PORTMACRO_H */
