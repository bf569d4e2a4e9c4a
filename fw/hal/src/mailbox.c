/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Queues of words between harts, and the software interrupt that announces them. */
#include <errno.h>
#include <stddef.h>

#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/mailbox.h>

/* `sent` is written by the sender alone, `taken` by the receiver alone; both count for ever. */
struct queue {
	uint32_t sent;
	uint32_t taken;
	uint32_t words[MAILBOX_WORDS];
};

/* By receiver, then by sender; at the same place in every image. */
__attribute__((
    section(".bss.tz_shared.runtime"))) static struct queue queues[TRAPEZE_HARTS][TRAPEZE_HARTS];

/* Each hart's own, also where the harts share this memory. */
static struct {
	mailbox_handler_t handler;
	void *arg;
} receivers[TRAPEZE_HARTS];

/* Takes all that has come. */
static void receive(void *arg)
{
	unsigned int self = hart_id();

	(void)arg;
	/* First, so that a word that comes meanwhile raises it again. */
	irq_software_set(false);
	hart_fence();
	for (unsigned int from = 0U; from < TRAPEZE_HARTS; from++) {
		struct queue *queue = &queues[self][from];
		uint32_t taken = queue->taken;

		while (__atomic_load_n(&queue->sent, __ATOMIC_ACQUIRE) != taken) {
			uint32_t word = queue->words[taken % MAILBOX_WORDS];

			taken++;
			__atomic_store_n(&queue->taken, taken, __ATOMIC_RELEASE);
			receivers[self].handler(from, word, receivers[self].arg);
		}
	}
}

void mailbox_open(mailbox_handler_t handler, void *arg)
{
	unsigned int self = hart_id();
	unsigned int key = irq_lock();

	receivers[self].handler = handler;
	receivers[self].arg = arg;
	(void)irq_connect(IRQ_SOFTWARE, receive, NULL);
	irq_enable(IRQ_SOFTWARE);
	/* What was sent before may have been announced to whoever had the interrupt then. */
	irq_software_set(true);
	irq_unlock(key);
}

int mailbox_send(unsigned int to, uint32_t word)
{
	if (to >= TRAPEZE_HARTS) {
		return -EINVAL;
	}

	struct queue *queue = &queues[to][hart_id()];
	unsigned int key = irq_lock(); /* a handler may send, too */
	uint32_t sent = queue->sent;
	int result = -EAGAIN;

	if (sent - __atomic_load_n(&queue->taken, __ATOMIC_ACQUIRE) < MAILBOX_WORDS) {
		queue->words[sent % MAILBOX_WORDS] = word;
		__atomic_store_n(&queue->sent, sent + 1U, __ATOMIC_RELEASE);
		hart_interrupt(to);
		result = 0;
	}
	irq_unlock(key);
	return result;
}
