// Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only
/*
 * The jobs of an open file: jobs that a caller waits for, and submitted jobs whose ends the program fetches.
 *
 * A job is cancelled if its caller is killed or its file is closed. Nobody takes its end then, and it keeps its buffers
 * until the server reports that it has ended.
 */
#include <linux/eventfd.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "driver.h"

struct client *client_new(struct trapeze *trapeze)
{
	struct client *const client = kzalloc(sizeof(*client), GFP_KERNEL);

	if (client == NULL)
		return NULL;
	client->trapeze = trapeze;
	init_waitqueue_head(&client->wakes);
	INIT_LIST_HEAD(&client->ended);
	sema_init(&client->room, trapeze->quota);
	return client;
}

void client_close(struct client *client)
{
	struct ring *const ring = &client->trapeze->ring;
	struct job *job;
	struct job *next;
	unsigned long flags;
	bool any = false;

	spin_lock_irqsave(&ring->lock, flags);
	for (unsigned int i = 0; i < TRAPEZE_RING_ENTRIES; i++) {
		job = ring->jobs[i];
		if (job != NULL && job->client == client) {
			job->client = NULL;
			ring_cancel(ring, job);
			any = true;
		}
	}
	spin_unlock_irqrestore(&ring->lock, flags);
	if (any)
		doorbell_ring(&ring->doorbell);
	list_for_each_entry_safe(job, next, &client->ended, of_client)
		job_free(job);
	kfree(client);
}

void client_job_ended(struct job *job)
{
	struct client *const client = job->client;

	lockdep_assert_held(&job->ring->lock);
	up(&client->room);
	if (!job->is_submitted) {
		complete(&job->ended);
		return;
	}
	client->in_flight--;
	list_add_tail(&job->of_client, &client->ended);
	wake_up(&client->wakes);
	if (job->eventfd != NULL)
		eventfd_signal(job->eventfd, 1);
}

int client_run(struct client *client, struct job *job)
{
	struct ring *const ring = job->ring;
	unsigned long flags;
	bool has_ended;
	u64 number;
	int error;

	job->client = client;
	error = ring_submit(ring, job, true, &number);
	if (error == 0 && wait_for_completion_killable(&job->ended) != 0) {
		error = -EINTR;
		spin_lock_irqsave(&ring->lock, flags);
		has_ended = ring_find(ring, number) != job;
		if (!has_ended) {
			job->is_unwanted = true;
			ring_cancel(ring, job);
		}
		spin_unlock_irqrestore(&ring->lock, flags);
		if (!has_ended) {
			doorbell_ring(&ring->doorbell);
			return error;
		}
	}
	if (error == 0 && job->end.status == TRAPEZE_JOB_LOST)
		error = -EIO;
	if (error != 0)
		job_free(job);
	return error;
}

int client_submit(struct client *client, struct job *job, bool waits, u64 *number)
{
	int error;

	job->client = client;
	job->is_submitted = true;
	error = ring_submit(job->ring, job, waits, number);
	if (error != 0)
		job_free(job);
	return error;
}

/** client_fetch() without the wait. */
static int take(struct client *client, u64 number, struct job **found)
{
	struct ring *const ring = &client->trapeze->ring;
	const struct job *in_flight;
	struct job *job;
	unsigned long flags;
	int error = -ENOENT;

	spin_lock_irqsave(&ring->lock, flags);
	list_for_each_entry(job, &client->ended, of_client) {
		if (number == 0 || job->number == number) {
			list_del_init(&job->of_client);
			*found = job;
			error = 0;
			break;
		}
	}
	if (error != 0) {
		in_flight = ring_find(ring, number);
		if (number == 0 ? client->in_flight != 0
				: in_flight != NULL && in_flight->client == client && in_flight->is_submitted)
			error = -EAGAIN;
	}
	spin_unlock_irqrestore(&ring->lock, flags);
	return error;
}

int client_fetch(struct client *client, u64 number, bool waits, struct job **job)
{
	int error = take(client, number, job);

	if (error != -EAGAIN || !waits)
		return error;
	if (wait_event_interruptible(client->wakes, (error = take(client, number, job)) != -EAGAIN) != 0) {
		if (number != 0 && fatal_signal_pending(current))
			client_cancel(client, number);
		return -ERESTARTSYS;
	}
	return error;
}

bool client_has_ends(struct client *client)
{
	struct ring *const ring = &client->trapeze->ring;
	unsigned long flags;
	bool has;

	spin_lock_irqsave(&ring->lock, flags);
	has = !list_empty(&client->ended);
	spin_unlock_irqrestore(&ring->lock, flags);
	return has;
}

int client_cancel(struct client *client, u64 number)
{
	struct ring *const ring = &client->trapeze->ring;
	const struct job *job;
	unsigned long flags;
	bool is_ours;

	spin_lock_irqsave(&ring->lock, flags);
	job = ring_find(ring, number);
	is_ours = job != NULL && job->client == client && job->is_submitted;
	if (is_ours)
		ring_cancel(ring, job);
	spin_unlock_irqrestore(&ring->lock, flags);
	if (!is_ours)
		return -ENOENT;
	doorbell_ring(&ring->doorbell);
	return 0;
}
