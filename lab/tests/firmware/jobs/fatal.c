/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* An exception in machine mode, in a task or in the handler of an interrupt, behind a job that had one of its own. */
#include <FreeRTOS.h>
#include <task.h>

#include <trapeze/irq.h>
#include <trapeze/map.h>

#include "cases.h"
#include "linux.h"

static void fault(void *arg)
{
	(void)*(volatile uint64_t *)arg;
}

void linux_test(void)
{
	struct trapeze_ring_job job = linux_case(1, CASE_STORE, TRAPEZE_DMEM_BASE);
	void *nowhere = (void *)0x12345678;

	(void)linux_run("before", &job);
#ifdef IN_HANDLER
	(void)irq_connect(IRQ_SOFTWARE, fault, nowhere);
	irq_enable(IRQ_SOFTWARE);
	irq_software_set(true);
	vTaskDelay(2);
#else
	fault(nowhere);
#endif
}
