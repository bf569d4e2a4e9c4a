/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Handlers of the fastirq scheme. */
#include <errno.h>
#include <stddef.h>

#include <trapeze/irq_clic.h>
#include <trapeze/irq_fast.h>

/* start/clic_table.S, start/fastirq.S */
extern const char __irq_functions[];
extern const char __irq_fast_stubs[];

#define FUNCTION_SIZE 8U
#define STUB_SIZE     16U

/* Where the stubs find the functions of handlers that are not nested. */
irq_fast_handler_t __irq_fast_locked[IRQ_COUNT];

int irq_fast_connect(unsigned int irq, irq_fast_handler_t handler, bool nested)
{
	if (irq >= IRQ_COUNT) {
		return -EINVAL;
	}

	unsigned int key = irq_lock();
	irq_vector_t vector = handler;

	if (handler == NULL) {
		vector = (irq_vector_t)(uintptr_t)&__irq_functions[irq * FUNCTION_SIZE];
	} else if (!nested) {
		__irq_fast_locked[irq] = handler;
		vector = (irq_vector_t)(uintptr_t)&__irq_fast_stubs[irq * STUB_SIZE];
	}
	(void)irq_vector_set(irq, vector);
	irq_vectored_set(irq, true);
	irq_fast_require();
	irq_unlock(key);
	return 0;
}
