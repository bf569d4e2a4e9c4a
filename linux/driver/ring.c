// Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only
/*
 * The ring and the doorbells: jobs go to the server, ends of jobs come back. docs/remote-jobs.md is the contract.
 *
 * Nothing that the server writes is believed: an index that is out of reach, or an end of a job that is not in flight, does no
 * harm. A server that began anew has lost its jobs; they end with -EIO.
 */
#include <asm/csr.h>
#include <asm/sbi.h>
#include <linux/interrupt.h>
#include <linux/slab.h>

#include "driver.h"

/** What request_percpu_irq() wants: interrupts of a hart's own controller are those of each hart. */
static DEFINE_PER_CPU(struct ring *, ring_of_hart);

void job_free(struct job *job)
{
	for (unsigned int i = 0; i < job->count; i++)
		buffer_release(job->lent[i].buffer);
	kfree(job);
}

static void free_abandoned(struct work_struct *work)
{
	job_free(container_of(work, struct job, free));
}

struct job *job_new(struct ring *ring)
{
	struct job *const job = kzalloc(sizeof(*job), GFP_KERNEL);

	if (job == NULL)
		return NULL;
	job->ring = ring;
	init_completion(&job->ended);
	INIT_WORK(&job->free, free_abandoned);
	return job;
}

/** A job is not in flight any more. */
static void job_end(struct ring *ring, unsigned int id, struct job *job, int error)
{
	lockdep_assert_held(&ring->lock);
	idr_remove(&ring->jobs, id);
	job->error = error;
	up(&ring->room);
	if (job->abandoned)
		queue_work(ring->frees, &job->free);
	else
		complete(&job->ended);
	if (idr_is_empty(&ring->jobs))
		wake_up(&ring->idle);
}

/** All that are in flight end, and nobody knows how. */
static void end_all(struct ring *ring)
{
	struct job *job;
	int id;

	idr_for_each_entry(&ring->jobs, job, id)
		job_end(ring, id, job, -EIO);
}

static bool is_known(const struct trapeze_ring *shared)
{
	return READ_ONCE(shared->magic) == TRAPEZE_RING_MAGIC &&
	       READ_ONCE(shared->version) == TRAPEZE_RING_VERSION &&
	       READ_ONCE(shared->entries) == TRAPEZE_RING_ENTRIES;
}

/** Look which server there is. One that began anew knows nothing of the jobs of the one before. */
static bool find_server(struct ring *ring)
{
	u32 generation;

	lockdep_assert_held(&ring->lock);
	if (!is_known(ring->shared))
		return false;
	dma_rmb(); /* magic is written last */
	generation = READ_ONCE(ring->shared->generation);
	if (generation != ring->generation) {
		end_all(ring);
		ring->generation = generation;
		ring->jobs_in = READ_ONCE(ring->shared->jobs_out);
		ring->ends_out = READ_ONCE(ring->shared->ends_in);
		WRITE_ONCE(ring->shared->jobs_in, ring->jobs_in);
		WRITE_ONCE(ring->shared->ends_out, ring->ends_out);
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
	dma_rmb(); /* entries are written before the index */
	while (ring->ends_out != ends_in) {
		const struct trapeze_ring_end end = shared->ends[ring->ends_out % TRAPEZE_RING_ENTRIES];
		struct job *const job = end.id <= INT_MAX ? idr_find(&ring->jobs, end.id) : NULL;

		ring->ends_out++;
		if (job == NULL) {
			dev_err_ratelimited(ring->device, "the server ends job %llu, which is not in flight\n",
					    end.id);
			continue;
		}
		job->end = end;
		job_end(ring, end.id, job, 0);
	}
	mb(); /* entries are read before the server may write them again */
	WRITE_ONCE(shared->ends_out, ring->ends_out);
}

static irqreturn_t rung(int irq, void *of_hart)
{
	struct ring *const ring = *(struct ring **)of_hart;

	/* First, as a ring from now on is for what is not seen below. */
	csr_clear(CSR_IP, IE_SIE);
	spin_lock(&ring->lock);
	take_ends(ring);
	spin_unlock(&ring->lock);
	return IRQ_HANDLED;
}

static void ring_doorbell(const struct ring *ring)
{
	mb(); /* what was put in, before the doorbell, which is a device */
	sbi_ecall(SBI_EXT_IPI, SBI_EXT_IPI_SEND_IPI, 1, ring->hart, 0, 0, 0, 0);
}

static int submit(struct ring *ring, struct job *job)
{
	struct trapeze_ring_job entry = {.count = job->count};
	unsigned long flags;
	int id = -ENODEV;

	for (unsigned int i = 0; i < job->count; i++)
		entry.regions[i] = job->lent[i].region;
	idr_preload(GFP_KERNEL);
	spin_lock_irqsave(&ring->lock, flags);
	if (find_server(ring))
		id = idr_alloc_cyclic(&ring->jobs, job, 0, 0, GFP_NOWAIT);
	if (id >= 0) {
		entry.id = id;
		ring->shared->jobs[ring->jobs_in % TRAPEZE_RING_ENTRIES] = entry;
		dma_wmb(); /* the entry before the index */
		WRITE_ONCE(ring->shared->jobs_in, ++ring->jobs_in);
	}
	spin_unlock_irqrestore(&ring->lock, flags);
	idr_preload_end();
	if (id < 0)
		return id;
	ring_doorbell(ring);
	return 0;
}

int ring_run(struct ring *ring, struct job *job)
{
	unsigned long flags;
	int error = down_killable(&ring->room);

	if (error == 0) {
		error = submit(ring, job);
		if (error != 0)
			up(&ring->room);
	}
	if (error != 0) {
		job_free(job);
		return error;
	}
	if (wait_for_completion_killable(&job->ended) == 0)
		error = job->error;
	else
		error = -EINTR;
	if (error == -EINTR) {
		spin_lock_irqsave(&ring->lock, flags);
		job->abandoned = !completion_done(&job->ended);
		spin_unlock_irqrestore(&ring->lock, flags);
		if (job->abandoned)
			return error;
	}
	if (error != 0)
		job_free(job);
	return error;
}

int ring_start(struct ring *ring)
{
	int error;

	spin_lock_init(&ring->lock);
	sema_init(&ring->room, TRAPEZE_RING_ENTRIES);
	init_waitqueue_head(&ring->idle);
	idr_init(&ring->jobs);
	ring->frees = alloc_workqueue("trapeze", 0, 0);
	if (ring->frees == NULL)
		return -ENOMEM;
	*this_cpu_ptr(&ring_of_hart) = ring;
	error = request_percpu_irq(ring->irq, rung, "trapeze", &ring_of_hart);
	if (error != 0) {
		destroy_workqueue(ring->frees);
		return error;
	}
	enable_percpu_irq(ring->irq, IRQ_TYPE_NONE);
	return 0;
}

void ring_stop(struct ring *ring)
{
	wait_event(ring->idle, idr_is_empty(&ring->jobs));
	disable_percpu_irq(ring->irq);
	free_percpu_irq(ring->irq, &ring_of_hart);
	destroy_workqueue(ring->frees); /* having freed what was abandoned */
	idr_destroy(&ring->jobs);
}
