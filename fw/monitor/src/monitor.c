/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Monitor, every scheme: start-up. Freestanding: it uses neither the HAL nor the C library, which belong to the
 * program.
 */
#include <stdint.h>

#include <trapeze/csr.h>

#include "scheme.h"

/* Called by assembly. */
void monitor_init(void);

__attribute__((section(".bss.monitor_stack"), aligned(16))) char monitor_stack[MONITOR_STACK];

uint32_t monitor_again_count;

void monitor_init(void)
{
#ifdef TRAPEZE_IRQ_FAST
	csr_write(CSR_MFASTIRQ, 0U);
#endif
	csr_write(CSR_MCOUNTEREN, MCOUNTEREN_CY | MCOUNTEREN_IR);
	monitor_scheme_init();
}
