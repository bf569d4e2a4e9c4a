// Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only
/*
 * The ring: jobs go to the server, ends of jobs come back. docs/remote-jobs.md is the contract.
 *
 * The driver does not trust what the server writes: an index out of reach, or the end of a job that is not in flight,
 * does no harm. A server that was restarted has lost its jobs.
 */
#include <linux/eventfd.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "driver.h"

/* Longest wait for an entry of the ring, and for the server's answer, when a prepared job is dropped. A server at work
 * answers in far less than a millisecond.
 */
enum { DROP_MS = 1000 };

static void give_room(struct ring *ring, unsigned int *room)
{
	lockdep_assert_held(&ring->lock);
	++*room;
	wake_up(&ring->roomy);
}

/**
 * Takes room of an account or of the ring.
 *
 * Return: 0; -EAGAIN: there is none, and the caller does not wait; -ETIMEDOUT: there was none for so long (0: no limit);
 * -ERESTARTSYS: a signal.
 */
static int take_room(struct ring *ring, unsigned int *room, bool waits, unsigned int limit_ms)
{
	long left = limit_ms == 0 ? MAX_SCHEDULE_TIMEOUT : (long)msecs_to_jiffies(limit_ms);
	int error = 0;

	spin_lock_irq(&ring->lock);
	if (waits)
		left = wait_event_interruptible_lock_irq_timeout(ring->roomy, *room != 0, ring->lock, left);
	if (*room != 0)
		--*room;
	else if (!waits)
		error = -EAGAIN;
	else
		error = left == 0 ? -ETIMEDOUT : -ERESTARTSYS;
	spin_unlock_irq(&ring->lock);
	return error;
}

void job_free(struct job *job)
{
	struct ring *const ring = job->ring;
	unsigned long flags;

	if (job->account != NULL) {
		spin_lock_irqsave(&ring->lock, flags);
		give_room(ring, &job->account->room);
		spin_unlock_irqrestore(&ring->lock, flags);
	}
	for (unsigned int i = 0; i < job->count; i++)
		buffer_release(job->lent[i].buffer);
	if (job->eventfd != NULL)
		eventfd_ctx_put(job->eventfd);
	if (job->channel != NULL)
		channel_put(job->channel);
	atomic_dec(&job->ring->made);
	kfree(job);
}

static int put_in(struct ring *ring, struct job *job, u64 *number);

/** Puts a job in, however long it takes until there is an entry for it. Without a server it is freed. */
static void put_in_when_roomy(struct ring *ring, struct job *job)
{
	u64 number;

	spin_lock_irq(&ring->lock);
	wait_event_lock_irq(ring->roomy, ring->room != 0, ring->lock);
	ring->room--;
	spin_unlock_irq(&ring->lock);
	if (put_in(ring, job, &number) == 0)
		return;
	spin_lock_irq(&ring->lock);
	give_room(ring, &ring->room);
	spin_unlock_irq(&ring->lock);
	job_free(job);
}

/** Makes of a job that the server has prepared the request to drop it. */
static void make_drop(struct job *job)
{
	job->what = TRAPEZE_RING_DROP;
	job->of = job->end.result;
}

/** Frees a job, which the server drops first if it has prepared it: the end of that calls this function again. */
static void free_unwanted(struct work_struct *work)
{
	struct job *const job = container_of(work, struct job, free);

	if (job->what == TRAPEZE_RING_PREPARE && job->end.status == TRAPEZE_JOB_DONE) {
		make_drop(job);
		job->client = NULL;
		put_in_when_roomy(job->ring, job);
		return;
	}
	job_free(job);
}

struct job *job_new(struct ring *ring)
{
	struct job *const job = kzalloc(sizeof(*job), GFP_KERNEL_ACCOUNT);

	if (job == NULL)
		return NULL;
	job->ring = ring;
	atomic_inc(&ring->made);
	init_completion(&job->ended);
	INIT_LIST_HEAD(&job->of_client);
	INIT_WORK(&job->free, free_unwanted);
	return job;
}

/** Ends a job that was in flight; job->end says how it ended. */
static void job_end(struct ring *ring, struct job *job)
{
	/* Read before job_ended(): the caller that waits for the job may free it at once. */
	const bool is_wanted = job->client != NULL && !job->is_unwanted;

	lockdep_assert_held(&ring->lock);
	ring->jobs[job->number % TRAPEZE_RING_ENTRIES] = NULL;
	give_room(ring, &ring->room);
	if (job->client != NULL)
		ring->job_ended(job);
	if (!is_wanted)
		queue_work(ring->frees, &job->free);
	if (--ring->in_flight == 0)
		wake_up(&ring->idle);
}

/** Ends all jobs in flight as lost. */
static void end_all(struct ring *ring)
{
	for (unsigned int i = 0; i < TRAPEZE_RING_ENTRIES; i++) {
		struct job *const job = ring->jobs[i];

		if (job != NULL) {
			job->end = (struct trapeze_ring_end){.id = job->number, .status = TRAPEZE_JOB_LOST};
			job_end(ring, job);
		}
	}
	channels_lost(ring);
}

struct job *ring_find(const struct ring *ring, u64 number)
{
	struct job *const job = ring->jobs[number % TRAPEZE_RING_ENTRIES];

	lockdep_assert_held(&ring->lock);
	return job != NULL && job->number == number ? job : NULL;
}

static bool is_known(const struct trapeze_ring *shared)
{
	return READ_ONCE(shared->magic) == TRAPEZE_RING_MAGIC &&
	       READ_ONCE(shared->version) == TRAPEZE_RING_VERSION &&
	       READ_ONCE(shared->entries) == TRAPEZE_RING_ENTRIES;
}

/** Looks for a server. One that was restarted does not know the jobs of the server before. */
static bool find_server(struct ring *ring)
{
	u32 generation;

	lockdep_assert_held(&ring->lock);
	if (!is_known(ring->shared))
		return false;
	dma_rmb(); /* the server writes magic last */
	generation = READ_ONCE(ring->shared->generation);
	if (generation != ring->generation) {
		end_all(ring);
		ring->generation = generation;
		ring->jobs_in = READ_ONCE(ring->shared->jobs_out);
		ring->ends_out = READ_ONCE(ring->shared->ends_in);
		ring->cancels = READ_ONCE(ring->shared->cancels);
		WRITE_ONCE(ring->shared->jobs_in, ring->jobs_in);
		WRITE_ONCE(ring->shared->ends_out, ring->ends_out);
		dma_wmb(); /* once `client` is set, the server takes jobs */
		WRITE_ONCE(ring->shared->client, TRAPEZE_RING_VERSION);
	}
	return true;
}

bool ring_is_ready(struct ring *ring)
{
	unsigned long flags;
	bool ready;

	spin_lock_irqsave(&ring->lock, flags);
	ready = find_server(ring);
	spin_unlock_irqrestore(&ring->lock, flags);
	return ready;
}

static void take_ends(struct ring *ring)
{
	struct trapeze_ring *const shared = ring->shared;
	u32 ends_in;

	if (!find_server(ring))
		return;
	ends_in = READ_ONCE(shared->ends_in);
	if (ends_in - ring->ends_out > TRAPEZE_RING_ENTRIES) {
		dev_err_ratelimited(ring->device, "the server's index of ends is out of reach: %u, expected %u to %u\n",
				    ends_in, ring->ends_out, ring->ends_out + TRAPEZE_RING_ENTRIES);
		end_all(ring);
		return;
	}
	dma_rmb(); /* reads of entries come after the read of the index */
	while (ring->ends_out != ends_in) {
		const struct trapeze_ring_end end = shared->ends[ring->ends_out % TRAPEZE_RING_ENTRIES];
		struct job *const job = ring_find(ring, end.id);

		ring->ends_out++;
		if (job == NULL) {
			dev_err_ratelimited(ring->device, "the server ends job %llu, which is not in flight\n",
					    end.id);
			continue;
		}
		job->end = end;
		job_end(ring, job);
	}
	mb(); /* entries are read before the server may overwrite them */
	WRITE_ONCE(shared->ends_out, ring->ends_out);
}

/** Takes the ends that the server has put into the ring. In an interrupt, that of the doorbell. */
static void ring_look(struct ring *ring)
{
	spin_lock(&ring->lock);
	take_ends(ring);
	spin_unlock(&ring->lock);
	channels_look(ring);
}

/** Gives the job a number whose element of `jobs` is free. The caller holds room, so there is such an element. */
static void give_number(struct ring *ring, struct job *job)
{
	unsigned int entry = 0;

	lockdep_assert_held(&ring->lock);
	while (ring->jobs[entry] != NULL)
		entry++;
	job->number = ++ring->given * TRAPEZE_RING_ENTRIES + entry;
	ring->jobs[entry] = job;
	ring->in_flight++;
	/* An earlier driver may have given the same number, and cancelled that job. */
	WRITE_ONCE(ring->shared->cancel[entry], TRAPEZE_RING_NO_JOB);
}

static int put_in(struct ring *ring, struct job *job, u64 *number)
{
	struct trapeze_ring_job entry = {.what = job->what, .of = job->of};
	unsigned long flags;
	bool is_there;

	if (job->what != TRAPEZE_RING_DROP) {
		entry.count = job->count;
		entry.limit = job->limit;
		for (unsigned int i = 0; i < job->count; i++)
			entry.regions[i] = job->lent[i].region;
	}
	spin_lock_irqsave(&ring->lock, flags);
	is_there = (!ring->is_down || job->what == TRAPEZE_RING_DROP) && find_server(ring);
	/* Another server knows nothing of what the one before has prepared. */
	if (job->what == TRAPEZE_RING_DROP)
		is_there = is_there && job->generation == ring->generation;
	if (is_there) {
		job->generation = ring->generation;
		give_number(ring, job);
		entry.id = job->number;
		*number = job->number;
		if (job->is_submitted)
			job->client->in_flight++;
		ring->shared->jobs[ring->jobs_in % TRAPEZE_RING_ENTRIES] = entry;
		dma_wmb(); /* the entry is written before the index */
		WRITE_ONCE(ring->shared->jobs_in, ++ring->jobs_in);
	}
	spin_unlock_irqrestore(&ring->lock, flags);
	if (!is_there)
		return -ENODEV;
	doorbell_ring(&ring->doorbell);
	return 0;
}

int ring_submit(struct ring *ring, struct job *job, bool waits, u64 *number)
{
	struct account *const account = job->client->account;
	int error;

	/* Room of the account comes first: who waits for it does not occupy an entry of the ring. */
	error = take_room(ring, &account->room, waits, job->limit_ms);
	if (error != 0)
		return error;
	job->account = account; /* job_free() gives the room back */
	error = take_room(ring, &ring->room, waits, job->limit_ms);
	if (error == 0) {
		error = put_in(ring, job, number);
		if (error != 0) {
			spin_lock_irq(&ring->lock);
			give_room(ring, &ring->room);
			spin_unlock_irq(&ring->lock);
		}
	}
	return error;
}

void ring_prepared(struct ring *ring, struct job *job)
{
	spin_lock_irq(&ring->lock);
	give_room(ring, &job->account->room);
	job->account = NULL;
	spin_unlock_irq(&ring->lock);
}

int ring_drop(struct ring *ring, struct job *job)
{
	int error = take_room(ring, &ring->room, true, DROP_MS);
	bool is_in_flight;
	u64 number;
	long left;

	if (error != 0) {
		queue_work(ring->frees, &job->free);
		return error == -ETIMEDOUT ? error : -EINTR;
	}
	make_drop(job);
	reinit_completion(&job->ended);
	if (put_in(ring, job, &number) != 0) {
		/* The server that has prepared it is gone. */
		spin_lock_irq(&ring->lock);
		give_room(ring, &ring->room);
		spin_unlock_irq(&ring->lock);
		job_free(job);
		return 0;
	}
	left = wait_for_completion_interruptible_timeout(&job->ended, msecs_to_jiffies(DROP_MS));
	spin_lock_irq(&ring->lock);
	is_in_flight = ring_find(ring, number) == job;
	if (is_in_flight)
		job->is_unwanted = true; /* its end frees it */
	spin_unlock_irq(&ring->lock);
	if (is_in_flight)
		return left == 0 ? -ETIMEDOUT : -EINTR;
	job_free(job);
	return 0;
}

void ring_drop_all(struct ring *ring)
{
	struct job *const job = job_new(ring);
	u64 number;

	if (job == NULL)
		return; /* what was prepared stays, and harms nobody but those who want room for more */
	job->what = TRAPEZE_RING_DROP;
	job->of = TRAPEZE_RING_ALL;
	job->generation = READ_ONCE(ring->generation);
	if (take_room(ring, &ring->room, true, DROP_MS) == 0) {
		if (put_in(ring, job, &number) == 0)
			return;
		spin_lock_irq(&ring->lock);
		give_room(ring, &ring->room);
		spin_unlock_irq(&ring->lock);
	}
	job_free(job);
}

void ring_end_all_jobs(struct ring *ring)
{
	const unsigned int count = READ_ONCE(ring->in_flight);
	unsigned long flags;

	spin_lock_irqsave(&ring->lock, flags);
	ring->is_down = true;
	for (unsigned int i = 0; i < TRAPEZE_RING_ENTRIES; i++) {
		if (ring->jobs[i] != NULL)
			ring_cancel(ring, ring->jobs[i]);
	}
	spin_unlock_irqrestore(&ring->lock, flags);
	if (count != 0)
		doorbell_ring(&ring->doorbell);
	/* Calls of prepared jobs write to memory, too. In a full ring there is room when a cancelled job has ended. */
	if (ring_is_ready(ring))
		ring_drop_all(ring);
	if (READ_ONCE(ring->in_flight) == 0)
		return;
	wait_event_timeout(ring->idle, READ_ONCE(ring->in_flight) == 0, HZ);
	if (count != 0)
		dev_info(ring->device, "going down with %u jobs in flight: cancelled, %u still run\n", count,
			 READ_ONCE(ring->in_flight));
}

void ring_cancel(struct ring *ring, const struct job *job)
{
	lockdep_assert_held(&ring->lock);
	WRITE_ONCE(ring->shared->cancel[job->number % TRAPEZE_RING_ENTRIES], job->number);
	dma_wmb(); /* the number is written before the count */
	WRITE_ONCE(ring->shared->cancels, ++ring->cancels);
}

int ring_start(struct ring *ring, void (*job_ended)(struct job *job))
{
	int error;

	ring->job_ended = job_ended;
	spin_lock_init(&ring->lock);
	ring->room = TRAPEZE_RING_ENTRIES;
	init_waitqueue_head(&ring->roomy);
	init_waitqueue_head(&ring->idle);
	/* The server may still end jobs of a Linux that went down without notice. With a random start, their numbers
	 * differ from new ones.
	 */
	ring->given = get_random_u32();
	ring->frees = alloc_workqueue("trapeze", 0, 0);
	if (ring->frees == NULL)
		return -ENOMEM;
	error = doorbell_start(&ring->doorbell, ring_look, ring);
	if (error != 0)
		destroy_workqueue(ring->frees);
	return error;
}

void ring_stop(struct ring *ring)
{
	/* What is prepared is dropped by jobs in flight: also what the server prepares while this waits, hence twice. */
	for (int i = 0; i < 2; i++) {
		flush_workqueue(ring->frees);
		wait_event(ring->idle, READ_ONCE(ring->in_flight) == 0);
	}
	doorbell_stop(&ring->doorbell);
	destroy_workqueue(ring->frees); /* waits until unwanted jobs are freed */
}
