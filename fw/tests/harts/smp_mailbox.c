/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: Words go from hart to hart by mailbox, in order, none lost, and after the stores before them
config: [duo]
expect: |
  PASS
*/
#include <errno.h>

#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/mailbox.h>

#include "test.h"

#define WORDS 300U
#define LAST  0xffffffffU

struct result {
	uint32_t count;
	uint32_t disorder; /* words out of order, or from the wrong hart */
	uint32_t stale;    /* words that arrived before the stores that preceded them */
	uint32_t done;
};

TZ_SHARED static struct result results[TRAPEZE_HARTS];
TZ_SHARED static uint32_t payload[TRAPEZE_HARTS][WORDS];

/* Counts a word. Hart 1 also sends it back. */
static void receive(unsigned int from, uint32_t word, void *arg)
{
	struct result *mine = arg;
	unsigned int self = hart_id();

	if (word == LAST) {
		__atomic_store_n(&mine->done, 1U, __ATOMIC_RELEASE);
	} else {
		mine->disorder += word != mine->count || from != 1U - self ? 1U : 0U;
		mine->stale += payload[from][word] != (word ^ 0x5a5a0000U) + from ? 1U : 0U;
		mine->count++;
	}
	if (self == 1U) {
		if (word != LAST) {
			payload[1][word] = (word ^ 0x5a5a0000U) + 1U;
		}
		while (mailbox_send(from, word) == -EAGAIN) {
		}
	}
}

static void wait_for(uint32_t *flag)
{
	(void)irq_lock();
	while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0U) {
		irq_wait();
		irq_unlock_all();
		(void)irq_lock();
	}
}

static void echo(void *arg)
{
	(void)arg;
	mailbox_open(receive, &results[1]);
	wait_for(&results[1].done);
}

int main(void)
{
	uint32_t refused = 0U;

	test_begin();
	CHECK_EQ(mailbox_send(TRAPEZE_HARTS, 0U), -EINVAL);

	/* Hart 1 has not opened its mailbox yet. Words wait there until it is full. */
	for (uint32_t word = 0U; word < MAILBOX_WORDS; word++) {
		payload[0][word] = word ^ 0x5a5a0000U;
		CHECK_EQ(mailbox_send(1U, word), 0);
	}
	CHECK_EQ(mailbox_send(1U, MAILBOX_WORDS), -EAGAIN);

	mailbox_open(receive, &results[0]);
	irq_unlock_all();
	CHECK_EQ(hart_start(1U, echo, NULL), 0);
	for (uint32_t word = MAILBOX_WORDS; word < WORDS; word++) {
		payload[0][word] = word ^ 0x5a5a0000U;
		while (mailbox_send(1U, word) == -EAGAIN) {
			refused++;
		}
	}
	while (mailbox_send(1U, LAST) == -EAGAIN) {
	}
	wait_for(&results[0].done);
	hart_wait(1U);
	for (unsigned int hart = 0U; hart < 2U; hart++) {
		CHECK_EQ(results[hart].count, WORDS);
		CHECK_EQ(results[hart].disorder, 0U);
		CHECK_EQ(results[hart].stale, 0U);
	}
	(void)refused;
	return test_end();
}
