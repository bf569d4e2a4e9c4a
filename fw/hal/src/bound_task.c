/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Bound tasks: how they start. Entry and wait are in the header, since both are made for one task. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trapeze/assert.h>
#include <trapeze/bound_task.h>
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>

/* The entry of a task loads the first two; what follows them is __bound_task_first's. */
struct first_words {
	uint32_t goes_on;
	uint32_t s0;
	uint32_t run;
	uint32_t arg;
};

_Static_assert(sizeof(struct first_words) == 16U, "what BOUND_TASK_WAIT() keeps on the stack");
_Static_assert(offsetof(struct bound_task, sp) == 0U &&
		   offsetof(struct bound_task, interrupted) == 4U &&
		   offsetof(struct bound_task, whole) == 8U,
	       "BOUND_TASK_DEFINE() and BOUND_TASK_WAIT() access them so");

static void returned(void)
{
	TRAPEZE_ASSERT(false && "the function of a bound task has returned");
}

/* The first time, a task goes on here. */
__attribute__((naked)) static void first(void)
{
	__asm__ volatile("lw	t0, 8(sp)\n\t"
			 "lw	a0, 12(sp)\n\t"
			 "addi	sp, sp, 16\n\t"
			 "la	ra, %0\n\t"
			 "jr	t0"
			 :
			 : "i"(returned));
}

int bound_task_start(struct bound_task *task, unsigned int irq, uint8_t level,
		     void (*run)(void *arg), void *arg)
{
	if (irq >= IRQ_COUNT || level == 0U) {
		return -EINVAL;
	}

	uint32_t top = (uint32_t)task->stack + task->stack_bytes;
	struct first_words *words = (struct first_words *)(top - sizeof(struct first_words));

	*words = (struct first_words){(uint32_t)first, 0U, (uint32_t)run, (uint32_t)arg};
	task->sp = (uint32_t)words;
	irq_disable(irq);
	task->whole = csr_read(CSR_XFRAME) == TRAPEZE_IRQ_WHOLE_FRAME ? 1U : 0U;
	(void)irq_fast_connect(irq, task->entries[task->whole], true);
	irq_trigger_set(irq, IRQ_TRIGGER_RISING);
	irq_level_set(irq, level);
	irq_pending_set(irq, true);
	irq_enable(irq);
	return 0;
}
