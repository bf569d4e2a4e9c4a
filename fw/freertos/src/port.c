/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* FreeRTOS port: a task's first stack, start of the scheduler, tick, sleep. The switch is in port.S. */
#include <FreeRTOS.h>
#include <freertos_hooks.h>
#include <task.h>

#include <trapeze/assert.h>
#include <trapeze/irq.h>
#ifdef TRAPEZE_IRQ_CLIC
#include <trapeze/irq_clic.h>
#endif
#ifdef TRAPEZE_IRQ_FAST
#include <trapeze/irq_fast.h>
#endif
#include <trapeze/timer.h>

#define TICK_CYCLES ((uint32_t)(configCPU_CLOCK_HZ / configTICK_RATE_HZ))

/* port.S */
__attribute__((noreturn)) void freertos_start(void);
void freertos_interrupt(void);

/* Depth of critical sections inside of the outermost one. The initial value keeps it from becoming 0 until the
 * scheduler has started. */
__attribute__((used)) uint32_t freertos_critical_depth = 0xaaaaaaaaU;

/* Depth of nested interrupts. Until the scheduler starts they run on main's stack, without a change of stack. */
volatile uint32_t freertos_interrupt_depth = 1U;

/* mtime of the next tick. */
static uint64_t next_tick;

#define WORD sizeof(StackType_t)

#ifdef TRAPEZE_IRQ_FAST
/* port.S */
void freertos_switch_whole(void);

/* Whether the core has whole frames, for port.S. */
__attribute__((used)) uint32_t freertos_whole_frames;
#endif

StackType_t *pxPortInitialiseStack(StackType_t *top, TaskFunction_t code, void *parameters)
{
	bool whole = port_whole_frames();
	StackType_t *sp = top - (whole ? TRAPEZE_IRQ_WHOLE_FRAME : PORT_FRAME) / WORD;
	StackType_t *frame = whole ? sp : sp + PORT_CALLEE / WORD;

	for (StackType_t *word = sp; word < top; word++) {
		*word = 0U;
	}
	frame[TRAPEZE_IRQ_FRAME_RA / WORD] = (StackType_t)freertos_task_returned;
	frame[(whole ? TRAPEZE_IRQ_WHOLE_FRAME_A0 : TRAPEZE_IRQ_FRAME_A0) / WORD] =
	    (StackType_t)parameters;
	frame[(whole ? TRAPEZE_IRQ_WHOLE_FRAME_MEPC : TRAPEZE_IRQ_FRAME_MEPC) / WORD] =
	    (StackType_t)code;
	frame[(whole ? TRAPEZE_IRQ_WHOLE_FRAME_MCAUSE : TRAPEZE_IRQ_FRAME_MCAUSE) / WORD] =
	    PORT_INTERRUPTED;
	return sp;
}

static void tick(void *arg)
{
	(void)arg;
	next_tick += TICK_CYCLES;
	timer_set_alarm(next_tick);

	uint32_t saved = port_mask();

	if (xTaskIncrementTick() != pdFALSE) {
		port_request_switch();
	}
	port_unmask(saved);
}

#ifdef TRAPEZE_IRQ_CLIC
/* Runs before main(), so that levels which an application sets stay as it sets them. */
__attribute__((constructor)) static void levels_setup(void)
{
	irq_level_bits_set(configTRAPEZE_LEVEL_BITS);
	irq_trigger_set(IRQ_SOFTWARE, IRQ_TRIGGER_RISING);
	irq_control_set(IRQ_SOFTWARE, 0U);
	irq_level_set(IRQ_TIMER, configKERNEL_INTERRUPT_PRIORITY);
#ifdef TRAPEZE_MONITOR_CALLS
	monitor_page.handler = (uint32_t)freertos_interrupt;
#endif
}
#endif

BaseType_t xPortStartScheduler(void)
{
#ifdef TRAPEZE_IRQ_CLIC
	TRAPEZE_ASSERT(irq_level_get(IRQ_SOFTWARE) < irq_level_get(IRQ_TIMER));
	TRAPEZE_ASSERT(irq_level_get(IRQ_TIMER) <= configMAX_SYSCALL_INTERRUPT_PRIORITY);
#endif
#ifdef TRAPEZE_IRQ_FAST
	if (port_whole_frames()) {
		freertos_whole_frames = 1U;
		(void)irq_fast_connect(IRQ_SOFTWARE, freertos_switch_whole, true);
	}
#endif
	(void)irq_connect(IRQ_TIMER, tick, NULL);
	next_tick = timer_now() + TICK_CYCLES;
	timer_set_alarm(next_tick);
	irq_enable(IRQ_TIMER);
	irq_enable(IRQ_SOFTWARE);
	freertos_start();
}

void vPortEndScheduler(void)
{
	freertos_assert_failed(configTRAPEZE_PLACE, "the scheduler does not end");
}

#if configASSERT_DEFINED == 1
void freertos_check_level(void)
{
	/* If a monitor hands interrupts on, no interrupt is above the maximum. */
#if defined(TRAPEZE_IRQ_CLIC) && !defined(TRAPEZE_MONITOR_CALLS)
	configASSERT(irq_level_current() <= configMAX_SYSCALL_INTERRUPT_PRIORITY);
#endif
}
#endif

#if configUSE_TICKLESS_IDLE == 1
/* Called by the idle task, with the scheduler suspended, if there is nothing to do for so many ticks. */
void freertos_sleep(TickType_t ticks)
{
	uint32_t saved = port_mask();

	if (eTaskConfirmSleepModeStatus() != eAbortSleep) {
		timer_set_alarm(next_tick + (uint64_t)(ticks - 1U) * TICK_CYCLES);
		port_wait();

		uint64_t now = timer_now();
		TickType_t passed = 0U;

		/* The tick interrupt counts the last tick itself. */
		if (now >= next_tick) {
			uint64_t whole = (now - next_tick) / TICK_CYCLES + 1U;

			passed = whole < ticks ? (TickType_t)whole : ticks - 1U;
		}
		next_tick += (uint64_t)passed * TICK_CYCLES;
		timer_set_alarm(next_tick);
		vTaskStepTick(passed);
	}
	port_unmask(saved);
}
#endif
