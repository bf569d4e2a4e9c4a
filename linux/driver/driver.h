/* Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only */
/**
 * @file
 * @brief The parts of the driver and what they ask of one another: buffers (buffers.c), the ring (ring.c), and the device
 * that programs open (device.c).
 */
#ifndef DRIVER_H_
#define DRIVER_H_

#include <linux/completion.h>
#include <linux/dma-mapping.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/kref.h>
#include <linux/miscdevice.h>
#include <linux/mm_types.h>
#include <linux/semaphore.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <trapeze/ring.h>

/** Physically contiguous memory that a program has mapped; there as long as a mapping or a job refers to it. */
struct buffer {
	struct kref references;
	struct device *device;
	struct page *pages;
	dma_addr_t bus;
	size_t bytes;
};

/** Part of a buffer that a job has. */
struct lent {
	struct buffer *buffer;
	size_t offset;
	struct trapeze_ring_region region; /* as the ring gets it */
};

/** A job. Its caller has it until it ends; one whose caller was killed is freed when it ends (`abandoned`). */
struct job {
	struct ring *ring;
	struct work_struct free; /* of an abandoned one: an interrupt cannot free buffers */
	unsigned int count;
	struct lent lent[TRAPEZE_RING_REGIONS];
	struct completion ended;
	bool abandoned; /* under the ring's lock */
	int error;	/* negative: nobody knows how it ended; the server is broken or began anew */
	struct trapeze_ring_end end;
};

/** This side of the ring. */
struct ring {
	struct device *device;
	struct trapeze_ring *shared;
	unsigned int hart; /* that runs jobs */
	unsigned int irq;
	struct workqueue_struct *frees;
	struct semaphore room;	/* entries that no job in flight has */
	wait_queue_head_t idle; /* woken when no job is in flight */
	spinlock_t lock;	/* all below, and what this side writes of `shared` */
	struct idr jobs;	/* in flight, by number */
	u32 generation;		/* of the server that has them; 0: none yet */
	u32 jobs_in;
	u32 ends_out;
};

/** All of one device. */
struct trapeze {
	struct miscdevice misc;
	struct ring ring;
};

/* buffers.c */

/** mmap(): a new buffer. */
int buffer_map(struct device *device, struct vm_area_struct *area);

/**
 * Find what a part of the caller's memory is, and keep it.
 *
 * Return: 0; -EFAULT: not within one buffer of this file, or mapped with less than the flags ask for.
 */
int buffer_lend(struct file *file, u64 address, u64 bytes, u32 flags, struct lent *lent);
void buffer_release(struct buffer *buffer);

/** Before a job has it: what this hart's cache holds goes to memory. */
void lent_to_job(const struct lent *lent);
/** After the job: what this hart's cache holds of it is old. */
void lent_from_job(const struct lent *lent);

/* ring.c */
int ring_start(struct ring *ring);
/** Waits for the jobs in flight. */
void ring_stop(struct ring *ring);
/** Whether there is a server that this driver can talk to. */
bool ring_is_ready(struct ring *ring);
/**
 * Put a job in, ring, and wait for its end.
 *
 * Return: 0: it has ended, job->end says how. Else the job may be in flight, and is freed when it ends: -EINTR, the caller is
 * killed. Or there is no such job any more: -ENODEV, no server; -ENOMEM; -EIO, the server is broken or began anew.
 */
int ring_run(struct ring *ring, struct job *job);

struct job *job_new(struct ring *ring);
void job_free(struct job *job);

#endif /* DRIVER_H_ */
