/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Cycles of a call that does nothing, with the instruction in front of it, and of a kick of the watchdog. */
#include <stdint.h>
#include <stdio.h>

#include <trapeze/csr.h>
#include <trapeze/monitor.h>

#define CALLS 64U

/* `paper`: disables interrupts, which are disabled already; `soft`: no interrupt was held back; `direct`: call 0. */
static void null_call(void)
{
#if defined(TRAPEZE_MONITOR_SOFT)
	__asm__ volatile("nop\n\tecall" : : : "memory");
#elif defined(TRAPEZE_MONITOR_CALLS)
	(void)monitor_irq_disable();
#else
	__asm__ volatile("li t0, 0\n\tecall" : : : "t0", "t1", "t2", "memory");
#endif
}

int main(void)
{
	uint32_t begin = csr_read(CSR_CYCLE);

	for (uint32_t i = 0U; i < CALLS; i++) {
		__asm__ volatile("" : : : "memory");
	}

	uint32_t loop = csr_read(CSR_CYCLE) - begin;

#if defined(TRAPEZE_MONITOR_SOFT)
	monitor_page.enabled = 1U;
#endif
	begin = csr_read(CSR_CYCLE);
	for (uint32_t i = 0U; i < CALLS; i++) {
		null_call();
	}
	printf("null %lu\n", (unsigned long)((csr_read(CSR_CYCLE) - begin - loop) / CALLS));
	(void)monitor_watchdog_start(1000000U);
	begin = csr_read(CSR_CYCLE);
	for (uint32_t i = 0U; i < CALLS; i++) {
		monitor_watchdog_kick();
	}
	printf("kick %lu\n", (unsigned long)((csr_read(CSR_CYCLE) - begin - loop) / CALLS));
	return 0;
}
