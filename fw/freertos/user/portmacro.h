/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief FreeRTOS port for Trapeze, user mode under a monitor (trapeze/monitor.h): what the kernel asks
 * of a port. The README of fw/freertos explains it.
 */
#ifndef PORTMACRO_H
#define PORTMACRO_H

#include <port_common.h>

#include <stdint.h>

#include <trapeze/clint.h>
#include <trapeze/map.h>
#include <trapeze/monitor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- critical sections
 * Calls of the monitor. A section that finds interrupts disabled is inside of another one, and is
 * counted; the outermost is not. A switch that is wanted inside of one comes when it ends, so that the
 * depth is no part of a task's context.
 */
extern uint32_t freertos_critical_depth;

#define portDISABLE_INTERRUPTS() ((void)monitor_irq_disable())
#define portENABLE_INTERRUPTS()  monitor_irq_restore(1U)

static inline void port_enter_critical(void)
{
	if (monitor_irq_disable() == 0U) {
		freertos_critical_depth++;
	}
}

static inline void port_exit_critical(void)
{
	if (freertos_critical_depth != 0U) {
		freertos_critical_depth--;
	} else {
		monitor_irq_restore(1U);
	}
}

#define portENTER_CRITICAL() port_enter_critical()
#define portEXIT_CRITICAL()  port_exit_critical()

#define portSET_INTERRUPT_MASK_FROM_ISR()        monitor_irq_disable()
#define portCLEAR_INTERRUPT_MASK_FROM_ISR(saved) monitor_irq_restore(saved)

/* ---------------------------------------------------------------- switches */
#define portYIELD() monitor_yield()

/* From a handler: the end of the interrupt looks at the pending bit, so no call is needed. */
static inline void port_request_switch(void)
{
	*(volatile uint32_t *)(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MSIP_OFFSET) = 1U;
}

#define portEND_SWITCHING_ISR(wanted)                                                              \
	do {                                                                                       \
		if ((wanted) != pdFALSE) {                                                         \
			port_request_switch();                                                     \
		}                                                                                  \
	} while (0)
#define portYIELD_FROM_ISR(wanted) portEND_SWITCHING_ISR(wanted)

#if configUSE_TICKLESS_IDLE == 1
#error "configUSE_TICKLESS_IDLE: not in user mode, where nothing waits for an interrupt"
#endif

#ifdef __cplusplus
}
#endif

#endif /* PORTMACRO_H */
