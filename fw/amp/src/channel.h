/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The server's side of channels (trapeze/channel.h), by their numbers. Platforms without doorbells for programs have
 * none.
 */
#ifndef CHANNEL_H_
#define CHANNEL_H_

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/bell_pages.h>
#include <trapeze/bells.h>
#include <trapeze/channel.h>
#include <trapeze/map.h>
#include <trapeze/ring.h>

/** What the server keeps of a channel. */
struct channel {
	uint32_t next;      /* number of the call to be taken next */
	unsigned int jobs;  /* prepared for it */
	bool is_for_server; /* the next call has work for the server's task */
};

/** All of them. Interrupts are off where one is written. */
extern struct channel channels[TRAPEZE_CHANNELS];

/** The page, which the program writes, too. */
static inline struct trapeze_channel *channel_page(unsigned int channel)
{
	return (struct trapeze_channel *)((uintptr_t)TRAPEZE_RING_BASE + TRAPEZE_CHANNEL_OFFSET +
					  channel * TRAPEZE_CHANNEL_BYTES);
}

/** Reads a word that the program may change at any time. */
static inline uint32_t channel_load(const uint32_t *at)
{
	return __atomic_load_n(at, __ATOMIC_RELAXED);
}

/** A register of the doorbells. */
static inline volatile uint32_t *channel_bells(uint32_t offset)
{
	return (volatile uint32_t *)((uintptr_t)TRAPEZE_BELLS_BASE + offset);
}

/** Looks at the channel once more by its doorbell's handler, no sooner than the doorbells' interval allows. */
static inline void channel_look_again(unsigned int channel)
{
	*(volatile uint32_t *)((uintptr_t)TRAPEZE_BELL_PAGES_BASE + TRAPEZE_BELL_PAGES_RING_OFFSET +
			       channel * TRAPEZE_BELL_PAGES_RING_STRIDE) =
	    TRAPEZE_BELL_PAGES_RING_BELL_MASK;
}

/** Whether the program has written the call that is to be taken next. */
static inline bool channel_has_next(unsigned int channel)
{
	const uint32_t next = channels[channel].next;

	return channel_load(&channel_page(channel)->calls[next % TRAPEZE_CHANNEL_CALLS].number) ==
	       next;
}

/** Answers a call, and wakes the program if it sleeps. Interrupts are off. */
void channel_answer(unsigned int channel, uint32_t number, const struct trapeze_ring_end *end);

/** Answers the next call, which no job takes. Interrupts are off. */
void channel_refuse_next(unsigned int channel);

#endif /* CHANNEL_H_ */
