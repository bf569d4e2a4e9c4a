/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Channels: what is kept of each, and answers. */
#include <trapeze/hart.h>
#include <trapeze/map.h>

#ifdef TRAPEZE_BELLS_BASE

#include "channel.h"
#include "doorbell.h"

_Static_assert(TRAPEZE_CHANNEL_OFFSET + TRAPEZE_CHANNELS * TRAPEZE_CHANNEL_BYTES <=
		   TRAPEZE_RING_SIZE,
	       "the region is large enough");
_Static_assert(sizeof(struct trapeze_ring) <= TRAPEZE_CHANNEL_OFFSET,
	       "channels are behind the ring");
_Static_assert(TRAPEZE_CHANNELS == TRAPEZE_BELL_PAGES_RING_COUNT, "each channel has a doorbell");

struct channel channels[TRAPEZE_CHANNELS];

void channel_answer(unsigned int channel, uint32_t number, const struct trapeze_ring_end *end)
{
	struct trapeze_channel *page = channel_page(channel);
	struct trapeze_answer *to = &page->answers[number % TRAPEZE_CHANNEL_CALLS];

	to->result = end->result;
	if (end->status != TRAPEZE_JOB_DONE) {
		to->address = end->address;
		to->pc = end->pc;
		to->cause = end->cause;
		to->place = end->place;
	}
	__asm__ volatile("fence w, w" : : : "memory");
#if __riscv_xlen == 64
	__atomic_store_n(&to->head, (uint64_t)end->status << 32 | number, __ATOMIC_RELAXED);
#else
	__atomic_store_n(&to->status, end->status, __ATOMIC_RELAXED);
	__asm__ volatile("fence w, w" : : : "memory");
	__atomic_store_n(&to->number, number, __ATOMIC_RELAXED);
#endif
	/* A program says that it sleeps, and then looks at the answer once more. */
	hart_fence();
	if (channel_load(&page->sleeps) != 0U) {
		doorbell_ring();
	}
}

void channel_refuse_next(unsigned int channel)
{
	channel_answer(channel, channels[channel].next++,
		       &(struct trapeze_ring_end){.status = TRAPEZE_JOB_REFUSED,
						  .result = TRAPEZE_REFUSED_REST});
}

#endif
