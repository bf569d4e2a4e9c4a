/* Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only */
/**
 * @file
 * @brief The parts of the driver and what they ask of one another: buffers (buffers.c), the ring (ring.c), and the device
 * that programs open (device.c) with the jobs of each open file (client.c). The ring rings by doorbells (doorbell.c).
 */
#ifndef DRIVER_H_
#define DRIVER_H_

#include <linux/completion.h>
#include <linux/dma-mapping.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/list.h>
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
	atomic_t *count; /* of all buffers */
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

struct client;

/** A job, in flight until it has ended. Who has it frees it: its caller, or, if there is none any more, the end itself. */
struct job {
	struct ring *ring;
	struct client *client;	     /* whose job it is, or NULL: the file is closed; under the ring's lock */
	bool is_unwanted;	     /* its caller was killed; under the ring's lock */
	bool is_submitted;	     /* its end is fetched; else its caller waits for `ended` */
	struct list_head of_client;  /* among the ended ones */
	struct eventfd_ctx *eventfd; /* or NULL */
	struct work_struct free;     /* of one that nobody wants: an interrupt cannot free buffers */
	u64 number;
	u64 limit; /* ticks of mtime, 0: none */
	unsigned int count;
	struct lent lent[TRAPEZE_RING_REGIONS];
	struct completion ended;
	struct trapeze_ring_end end;
};

/** How this side rings and is rung: by a mailbox, or by the software interrupts of the two harts. */
struct doorbell {
	void __iomem *mailbox; /* this side's registers, or NULL */
	unsigned int hart;     /* that runs jobs */
	unsigned int irq;
};

/** This side of the ring. */
struct ring {
	struct device *device;
	struct trapeze_ring *shared;
	struct doorbell doorbell;
	unsigned int width; /* of the other hart's integer registers, in bits */
	struct workqueue_struct *frees;
	struct semaphore room;	/* entries that no job in flight has */
	wait_queue_head_t idle; /* woken when no job is in flight */
	atomic_t made;		/* jobs that are not freed yet */
	spinlock_t lock;	/* all below, and what this side writes of `shared` */
	struct job *jobs[TRAPEZE_RING_ENTRIES]; /* in flight, each at its number modulo entries */
	unsigned int in_flight;
	u64 given;	/* numbers */
	u32 generation; /* of the server that has them; 0: none yet */
	bool is_down;	/* Linux goes down: no more jobs */
	u32 jobs_in;
	u32 ends_out;
	u32 cancels;
};

/** All of one device. */
struct trapeze {
	struct miscdevice misc;
	struct ring ring;
	atomic_t buffers; /* that are there */
	unsigned int quota; /* jobs in flight of one open file at most */
};

/** An open file. */
struct client {
	struct trapeze *trapeze;
	wait_queue_head_t wakes; /* when a submitted job has ended */
	struct list_head ended;	 /* submitted jobs whose end is not fetched, in the order of ends; under the ring's lock */
	unsigned int in_flight;	 /* submitted jobs; under the ring's lock */
	struct semaphore room;	 /* jobs that this file may still have in flight */
};

/* buffers.c */

/** mmap(): a new buffer, counted as long as it is there. */
int buffer_map(struct device *device, atomic_t *count, struct vm_area_struct *area);

/**
 * Find what a part of the caller's memory is, and keep it.
 *
 * Return: 0; -EFAULT: not within one buffer of this file, or mapped with less than the flags ask for.
 */
int buffer_lend(struct file *file, u64 address, u64 bytes, u32 flags, struct lent *lent);
void buffer_release(struct buffer *buffer);

/** Whether it holds code of a job for a hart of this width: <trapeze/job_code.h>. */
bool lent_is_code(const struct lent *lent, unsigned int width);
/** Before a job has it: what this hart's cache holds goes to memory. */
void lent_to_job(const struct lent *lent);
/** After the job: what this hart's cache holds of it is old. */
void lent_from_job(const struct lent *lent);

/* doorbell.c */

/** From now on a ring of the other side is taken: ring_look() is called. */
int doorbell_start(struct doorbell *doorbell, struct ring *ring);
void doorbell_stop(struct doorbell *doorbell);
/** What was put in before is there when the other side looks. */
void doorbell_ring(const struct doorbell *doorbell);

/* ring.c */

/** Take what is there. In an interrupt. */
void ring_look(struct ring *ring);
int ring_start(struct ring *ring);
/** Waits for the jobs in flight. */
void ring_stop(struct ring *ring);
/** Whether there is a server that this driver can talk to. */
bool ring_is_ready(struct ring *ring);
/**
 * Put a job of a client in, and ring. Who waits for room, the client's or the ring's, waits for as long as that takes.
 *
 * Return: 0, and the number of the job, which may have ended and be gone by then. -EAGAIN: no room; -EINTR: the caller is killed; -ENODEV: no server.
 */
int ring_submit(struct ring *ring, struct job *job, bool waits, u64 *number);
/** The job in flight of a number, or NULL. Under the lock. */
struct job *ring_find(const struct ring *ring, u64 number);
/** Linux goes down: no job writes to memory any more from here on, if the server still listens. */
void ring_end_all_jobs(struct ring *ring);
/** Ask the server to end a job in flight, under the lock; doorbell_ring() behind that. */
void ring_cancel(struct ring *ring, const struct job *job);

struct job *job_new(struct ring *ring);
void job_free(struct job *job);

/* client.c */

struct client *client_new(struct trapeze *trapeze);
/** Nobody has the file any more: its jobs in flight are cancelled, and freed when they end. */
void client_close(struct client *client);
/** A job of a client has ended. Under the ring's lock. */
void client_job_ended(struct job *job);
/**
 * Put a job in and wait for its end. A caller that is killed cancels it.
 *
 * Return: 0: job->end says how it ended. Else the caller has no job any more: as ring_submit(), or -EIO: nobody knows how.
 */
int client_run(struct client *client, struct job *job);
/** Put a job in whose end is fetched. Return: as ring_submit(); the caller has no job any more. */
int client_submit(struct client *client, struct job *job, bool waits, u64 *number);
/**
 * Take a submitted job that has ended.
 *
 * Return: -EAGAIN: none has, and the caller does not wait; -ENOENT: there is none to wait for; -ERESTARTSYS: a signal.
 */
int client_fetch(struct client *client, u64 number, bool waits, struct job **job);
bool client_has_ends(struct client *client);
/** Return: -ENOENT: the client has no such job in flight. */
int client_cancel(struct client *client, u64 number);

#endif /* DRIVER_H_ */
