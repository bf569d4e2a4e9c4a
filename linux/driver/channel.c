// Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only
/*
 * Channels: pages by which a program calls the jobs that it has prepared (prepared.c), without the driver
 * (trapeze/channel.h).
 */
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <trapeze/bell_pages.h>

#include "driver.h"
#include "trapeze_job.h"
#include "versions.h"

void channels_init(struct ring *ring)
{
	for (unsigned int i = 0; i < TRAPEZE_CHANNELS; i++) {
		struct channel *const channel = &ring->channels[i];

		channel->number = i;
		channel->ring = ring;
		channel->page = (void *)ring->shared + TRAPEZE_CHANNEL_OFFSET + i * TRAPEZE_CHANNEL_BYTES;
		init_waitqueue_head(&channel->wakes);
	}
}

struct channel *channel_get(struct ring *ring)
{
	struct channel *found = NULL;
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	for (unsigned int i = 0; i < TRAPEZE_CHANNELS && found == NULL; i++) {
		if (ring->channels[i].users == 0)
			found = &ring->channels[i];
	}
	if (found != NULL) {
		found->users = 1;
		memset(found->page, 0, TRAPEZE_CHANNEL_BYTES);
	}
	spin_unlock_irqrestore(&ring->lock, flags);
	return found;
}

void channel_share(struct channel *channel)
{
	unsigned long flags;

	spin_lock_irqsave(&channel->ring->lock, flags);
	channel->users++;
	spin_unlock_irqrestore(&channel->ring->lock, flags);
}

void channel_put(struct channel *channel)
{
	unsigned long flags;

	spin_lock_irqsave(&channel->ring->lock, flags);
	channel->users--;
	spin_unlock_irqrestore(&channel->ring->lock, flags);
}

void channels_look(struct ring *ring)
{
	for (unsigned int i = 0; i < TRAPEZE_CHANNELS; i++) {
		if (atomic_read(&ring->channels[i].sleepers) != 0)
			wake_up(&ring->channels[i].wakes);
	}
}

void channels_lost(struct ring *ring)
{
	lockdep_assert_held(&ring->lock);
	for (unsigned int i = 0; i < TRAPEZE_CHANNELS; i++) {
		if (ring->channels[i].users != 0)
			WRITE_ONCE(ring->channels[i].page->lost, 1);
	}
	channels_look(ring);
}

/* ---------------------------------------------------------------- pages for the program */

static void area_opened(struct vm_area_struct *area)
{
	struct client *const client = area->vm_file->private_data;

	atomic_inc(&client->areas);
}

static void area_closed(struct vm_area_struct *area)
{
	struct client *const client = area->vm_file->private_data;

	atomic_dec(&client->areas);
}

static const struct vm_operations_struct area_operations = {
	.open = area_opened,
	.close = area_closed,
};

struct channel *channel_of(struct client *client)
{
	mutex_lock(&client->lock);
	if (client->channel == NULL)
		client->channel = channel_get(&client->trapeze->ring);
	mutex_unlock(&client->lock);
	return client->channel;
}

int channel_map(struct client *client, struct vm_area_struct *area)
{
	const struct ring *const ring = &client->trapeze->ring;
	const unsigned long offset = area->vm_pgoff << PAGE_SHIFT;
	const struct channel *channel;
	phys_addr_t page;
	int error;

	if (area->vm_end - area->vm_start != PAGE_SIZE || !(area->vm_flags & VM_SHARED) ||
	    (offset != TRAPEZE_MAP_CHANNEL && offset != TRAPEZE_MAP_BELL))
		return -EINVAL;
	if (ring->bells == 0)
		return -EOPNOTSUPP;
	channel = channel_of(client);
	if (channel == NULL)
		return -EBUSY;
	if (offset == TRAPEZE_MAP_CHANNEL) {
		page = ring->memory + TRAPEZE_CHANNEL_OFFSET + channel->number * TRAPEZE_CHANNEL_BYTES;
	} else {
		page = ring->bells + TRAPEZE_BELL_PAGES_RING_OFFSET +
		       channel->number * TRAPEZE_BELL_PAGES_RING_STRIDE;
		area->vm_page_prot = pgprot_noncached(area->vm_page_prot);
	}
	vm_flags_set(area, VM_IO | VM_PFNMAP | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP);
	error = remap_pfn_range(area, area->vm_start, page >> PAGE_SHIFT, PAGE_SIZE, area->vm_page_prot);
	if (error != 0)
		return error;
	allow_cache_blocks();
	atomic_inc(&client->areas);
	area->vm_ops = &area_operations;
	return 0;
}

/* ---------------------------------------------------------------- sleep */

static bool is_over(const struct channel *channel, u32 number)
{
	const struct trapeze_answer *const answer = &channel->page->answers[number % TRAPEZE_CHANNEL_CALLS];

	return (s32)(READ_ONCE(answer->number) - number) >= 0 || READ_ONCE(channel->page->lost);
}

int channel_wait(struct client *client, u32 number, u32 timeout_ms)
{
	struct channel *const channel = READ_ONCE(client->channel);
	long left;

	if (channel == NULL)
		return -EINVAL;
	atomic_inc(&channel->sleepers);
	WRITE_ONCE(channel->page->sleeps, 1);
	smp_mb(); /* the server writes the answer, and then reads `sleeps` */
	left = wait_event_interruptible_timeout(channel->wakes, is_over(channel, number),
						timeout_ms == 0 ? MAX_SCHEDULE_TIMEOUT
								: msecs_to_jiffies(timeout_ms));
	if (atomic_dec_and_test(&channel->sleepers)) {
		WRITE_ONCE(channel->page->sleeps, 0);
		smp_mb();
		if (atomic_read(&channel->sleepers) != 0) /* another one has come meanwhile */
			WRITE_ONCE(channel->page->sleeps, 1);
	}
	if (left < 0)
		return left;
	if (READ_ONCE(channel->page->lost))
		return -EIO;
	return left == 0 ? -ETIMEDOUT : 0;
}
