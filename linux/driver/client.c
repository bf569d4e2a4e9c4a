// Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only
/*
 * The jobs of an open file: jobs that a caller waits for, and submitted jobs whose ends the program fetches.
 *
 * A job is cancelled if a signal ends its caller's wait, or no descriptor of its file is left. Nobody takes its end
 * then, and it keeps its buffers until the server reports that it has ended.
 */
#include <linux/eventfd.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "driver.h"
#include "versions.h"

struct client *client_new(struct trapeze *trapeze)
{
	struct client *const client = kzalloc(sizeof(*client), GFP_KERNEL_ACCOUNT);

	if (client == NULL)
		return NULL;
	client->account = account_get(trapeze);
	if (client->account == NULL) {
		kfree(client);
		return NULL;
	}
	client->trapeze = trapeze;
	init_waitqueue_head(&client->wakes);
	INIT_LIST_HEAD(&client->ended);
	INIT_LIST_HEAD(&client->prepared);
	mutex_init(&client->lock);
	return client;
}

/** The server drops the jobs that the client has prepared; a work frees them. */
static void drop_prepared(struct client *client)
{
	struct job *job;
	struct job *next;

	mutex_lock(&client->lock);
	list_for_each_entry_safe(job, next, &client->prepared, of_client) {
		list_del_init(&job->of_client);
		queue_work(job->ring->frees, &job->free);
	}
	mutex_unlock(&client->lock);
}

void client_drop_jobs(struct client *client)
{
	struct ring *const ring = &client->trapeze->ring;
	struct job *job;
	struct job *next;
	LIST_HEAD(ended);
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
	client->in_flight = 0;
	list_splice_init(&client->ended, &ended);
	spin_unlock_irqrestore(&ring->lock, flags);
	if (any)
		doorbell_ring(&ring->doorbell);
	list_for_each_entry_safe(job, next, &ended, of_client)
		job_free(job);
	drop_prepared(client);
}

void client_close(struct client *client)
{
	client_drop_jobs(client);
	if (client->channel != NULL)
		channel_put(client->channel);
	account_put(client->account);
	kfree(client);
}

void client_job_ended(struct job *job)
{
	struct client *const client = job->client;

	lockdep_assert_held(&job->ring->lock);
	if (!job->is_submitted) {
		complete(&job->ended);
		return;
	}
	client->in_flight--;
	list_add_tail(&job->of_client, &client->ended);
	wake_up(&client->wakes);
	if (job->eventfd != NULL)
		eventfd_signal(job->eventfd);
}

/** Cancels a job that its caller waits for, if it is in flight; its end then frees it if it is unwanted. */
static bool cancel_one(struct ring *ring, struct job *job, u64 number, bool is_unwanted)
{
	unsigned long flags;
	bool is_in_flight;

	spin_lock_irqsave(&ring->lock, flags);
	is_in_flight = ring_find(ring, number) == job;
	if (is_in_flight) {
		job->is_unwanted = is_unwanted;
		ring_cancel(ring, job);
	}
	spin_unlock_irqrestore(&ring->lock, flags);
	if (is_in_flight)
		doorbell_ring(&ring->doorbell);
	return is_in_flight;
}

int client_run(struct client *client, struct job *job)
{
	struct ring *const ring = job->ring;
	u64 number;
	int error;

	job->client = client;
	error = ring_submit(ring, job, true, &number);
	if (error == 0 && wait_for_completion_interruptible(&job->ended) != 0) {
		/* A caller that lives on finds its buffers at rest, unless the server does not react. */
		cancel_one(ring, job, number, false);
		if (wait_for_completion_killable_timeout(&job->ended, HZ) <= 0 &&
		    cancel_one(ring, job, number, true))
			return -EINTR;
		if (job->end.status == TRAPEZE_JOB_CANCELLED)
			error = -EINTR;
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

void client_unfetch(struct client *client, struct job *job)
{
	struct ring *const ring = &client->trapeze->ring;
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	list_add(&job->of_client, &client->ended);
	wake_up(&client->wakes);
	spin_unlock_irqrestore(&ring->lock, flags);
}

void client_forget(struct client *client, u64 number)
{
	struct ring *const ring = &client->trapeze->ring;
	struct job *job;
	unsigned long flags;
	bool is_in_flight;

	spin_lock_irqsave(&ring->lock, flags);
	job = ring_find(ring, number);
	is_in_flight = job != NULL && job->client == client;
	if (is_in_flight) {
		job->client = NULL;
		client->in_flight--;
		ring_cancel(ring, job);
		wake_up(&client->wakes); /* this may have been the last job that a fetch waits for */
	}
	spin_unlock_irqrestore(&ring->lock, flags);
	if (is_in_flight)
		doorbell_ring(&ring->doorbell);
	else if (take(client, number, &job) == 0)
		job_free(job);
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
