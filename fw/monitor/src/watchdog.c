/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Monitor, all schemes but `emulate`: the watchdog. */
#include <trapeze/monitor.h>
#include <trapeze/random.h>
#include <trapeze/stress.h>
#include <trapeze/timers.h>

#include "rows.h"
#include "scheme.h"
#include "watchdog.h"

#define TIMER(name)  (TRAPEZE_PROBE_TIMER_BASE + TRAPEZE_TIMERS_CHANNEL_##name##_OFFSET)
#define RANDOM(name) (TRAPEZE_PROBE_RANDOM_BASE + TRAPEZE_RANDOM_##name##_OFFSET)

/* Whether the watchdog is on. */
__attribute__((section(".bss.monitor_watchdog"))) static uint32_t watches;

/* Starts the timer at 0. A period that expires at this very moment still raises the interrupt. */
static void restart(void)
{
	monitor_store(TIMER(STATUS), TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_MASK);
	monitor_store(TIMER(CONTROL), TRAPEZE_TIMERS_CHANNEL_CONTROL_ENABLE_MASK |
					  TRAPEZE_TIMERS_CHANNEL_CONTROL_ONE_SHOT_MASK);
}

static void stop(void)
{
	monitor_store(TIMER(CONTROL), 0U);
	monitor_store(TIMER(STATUS), TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_MASK);
	monitor_store(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_ACK_MASK);
}

static void begin(uint32_t cycles)
{
	volatile uint8_t *source = (volatile uint8_t *)MONITOR_WATCHDOG_WORD;

	watches = 1U;
	monitor_protect(true);
	monitor_store(TRAPEZE_PROBE_STRESS_BASE + TRAPEZE_STRESS_RATE_OFFSET, 0U);
	stop();
	source[2] = TRAPEZE_CLIC_IRQ_ATTR_MODE_MASK | monitor_controller.watchdog;
	source[3] = TRAPEZE_CLIC_IRQ_CTL_CTL_MASK;
	source[0] = 0U;
	source[1] = TRAPEZE_CLIC_IRQ_IE_IE_MASK;
	monitor_store(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_ENABLE_MASK);
	monitor_store(TIMER(PERIOD), cycles);
	restart();
}

void watchdog_init(void)
{
	uint32_t cycles = MONITOR_OPTION(monitor_watchdog);

	watches = 0U;
	if (cycles != 0U) {
		begin(cycles);
	} else {
		monitor_protect(false);
	}
}

uint32_t watchdog_start(uint32_t cycles)
{
	if (watches != 0U || cycles < MONITOR_WATCHDOG_LEAST || !watchdog_free()) {
		return 0U;
	}
	begin(cycles);
	return 1U;
}

void watchdog_again(void)
{
	if (watches != 0U) {
		stop();
		monitor_store(RANDOM(CONTROL), TRAPEZE_RANDOM_CONTROL_ENABLE_MASK);
		restart();
	}
}

void watchdog_kick(void)
{
	if (watches != 0U) {
		restart();
	}
}
