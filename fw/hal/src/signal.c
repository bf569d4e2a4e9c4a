/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Signals from hart to hart: what happens once (start/signal.S has the rest). */
#if defined(__riscv_atomic) && defined(__riscv_zbb) && !defined(__riscv_32e)

#include <errno.h>
#include <stddef.h>

#include <trapeze/clint.h>
#include <trapeze/hart.h>
#include <trapeze/irq_clic.h>
#include <trapeze/irq_fast.h>
#include <trapeze/map.h>
#include <trapeze/signal.h>

_Static_assert(offsetof(struct signal_thread, masked) == SIGNAL_MASKED, "for assembly");
_Static_assert(offsetof(struct signal_thread, handler) == SIGNAL_HANDLER, "for assembly");
_Static_assert(offsetof(struct signal_thread, notify) == SIGNAL_NOTIFY, "for assembly");
_Static_assert(offsetof(struct signal_thread, targets) == SIGNAL_TABLE, "for assembly");
_Static_assert(sizeof(struct signal_target) == 1U << SIGNAL_TARGET_SHIFT, "for assembly");

/* start/signal.S */
void __signal_entry(void);
void __signal_notified(void);

/* The thread of this hart, in its own memory. */
struct signal_thread *__signal_self;

void signal_thread_init(struct signal_thread *thread, unsigned int hart)
{
	*thread = (struct signal_thread){
	    .masked = 1U,
	    .notify = (volatile uint32_t *)(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MSIP_OFFSET +
					    TRAPEZE_CLINT_MSIP_STRIDE * hart),
	};
}

int signal_connect(struct signal_thread *sender, unsigned int index, struct signal_thread *receiver,
		   unsigned int vector)
{
	if (index >= SIGNAL_TARGETS || vector >= 64U) {
		return -EINVAL;
	}
	sender->targets[index] = (struct signal_target){
	    .pending = &receiver->pending[vector / 32U],
	    .bit = 1U << (vector % 32U),
	    .notify = receiver->notify,
	};
	return 0;
}

void signal_begin(struct signal_thread *thread, signal_handler_t handler)
{
	thread->handler = handler;
	thread->masked = 1U;
	__signal_self = thread;
	csr_write(CSR_MTVEC, (uint32_t)__signal_entry);
	(void)irq_fast_connect(IRQ_SOFTWARE, __signal_notified, true);
	irq_enable(IRQ_SOFTWARE);
}

#endif
