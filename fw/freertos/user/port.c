/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* FreeRTOS port, user mode under a monitor: a task's first stack, start of the scheduler, tick. The switch
 * is in port.S. */
#include <FreeRTOS.h>
#include <freertos_hooks.h>
#include <task.h>

#include <trapeze/irq.h>
#include <trapeze/timer.h>

#include "port_frame.h"

#define TICK_CYCLES ((uint32_t)(configCPU_CLOCK_HZ / configTICK_RATE_HZ))

/* port.S */
void freertos_interrupt(void);
__attribute__((noreturn)) void freertos_start(void);

/* Critical sections inside of the outermost one. As long as the scheduler has not started, none of them ends. */
uint32_t freertos_critical_depth = 0xaaaaaaaaU;

/* mtime of the next tick. */
static uint64_t next_tick;

StackType_t *pxPortInitialiseStack(StackType_t *top, TaskFunction_t code, void *parameters)
{
	StackType_t *frame = top - PORT_FRAME / sizeof(StackType_t);

	for (StackType_t *word = frame; word < top; word++) {
		*word = 0U;
	}
	frame[PORT_RA / sizeof(StackType_t)] = (StackType_t)freertos_task_returned;
	frame[PORT_A0 / sizeof(StackType_t)] = (StackType_t)parameters;
	frame[PORT_MEPC / sizeof(StackType_t)] = (StackType_t)code;
	return frame;
}

static void tick(void *arg)
{
	(void)arg;
	next_tick += TICK_CYCLES;
	timer_set_alarm(next_tick);
	/* Interrupts are disabled in every handler. */
	if (xTaskIncrementTick() != pdFALSE) {
		port_request_switch();
	}
}

BaseType_t xPortStartScheduler(void)
{
	(void)monitor_irq_disable();
	monitor_page.handler = (uint32_t)freertos_interrupt;
	(void)irq_connect(IRQ_TIMER, tick, NULL);
	next_tick = timer_now() + TICK_CYCLES;
	timer_set_alarm(next_tick);
	irq_enable(IRQ_TIMER);
	irq_enable(IRQ_SOFTWARE);
	freertos_critical_depth = 0U;
	freertos_start();
}

void vPortEndScheduler(void)
{
	freertos_assert_failed(configTRAPEZE_PLACE, "the scheduler does not end");
}
