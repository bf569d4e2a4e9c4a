/* Copyright Trapeze contributors. SPDX-License-Identifier: GPL-2.0-only */
/**
 * @file
 * @brief The parts of the driver and their interfaces. Each calls those below it alone; what comes from below goes up by
 * a function that was given at the start.
 *
 * device.c: the device that programs open. prepared.c: jobs that a program calls by itself. client.c: the jobs of each
 * open file. ring.c: jobs in flight, and the ring by which they go to the server. channel.c: pages by which programs call.
 * doorbell.c: notifies the other side of the ring. buffers.c: memory of jobs. account.c: what each user takes of all that.
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
#include <linux/pid.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <trapeze/channel.h>
#include <trapeze/ring.h>

struct trapeze;

/**
 * What a user takes of the device, by any number of open files: those of one user ID. On a kernel without users, those
 * that one process has opened. It exists as long as an open file or a buffer refers to it.
 */
struct account {
	struct kref references;
	struct list_head of_device; /* element of trapeze.accounts */
	struct trapeze *trapeze;
	kuid_t user;
	struct pid *process;	/* NULL on a kernel with users */
	unsigned int room; /* further jobs that may be in flight or have an end that nobody has fetched; under the lock of the ring */
	atomic_long_t bytes;	/* of buffers */
};

/** Physically contiguous memory that a program has mapped. It exists as long as a mapping or a job refers to it. */
struct buffer {
	struct kref references;
	struct account *account;
	struct device *device;
	struct page *pages;
	dma_addr_t bus;
	size_t bytes;
};

/** The part of a buffer that is a region of a job. */
struct lent {
	struct buffer *buffer;
	size_t offset;
	struct trapeze_ring_region region; /* physical address, as the ring holds it */
};

struct client;

/** A job, in flight until it has ended. Its caller frees it. If the caller is gone, the end of the job frees it. */
struct job {
	struct ring *ring;
	struct account *account; /* whose room the job has; NULL: none. Its buffers keep the account */
	struct client *client;	     /* NULL: the file is closed; under the ring's lock */
	bool is_unwanted;	     /* its caller was killed; under the ring's lock */
	bool is_submitted;	     /* its end is fetched; otherwise its caller waits for `ended` */
	struct list_head of_client;  /* element of client.ended */
	struct eventfd_ctx *eventfd; /* NULL: none */
	struct work_struct free;     /* frees an unwanted job, because an interrupt cannot free buffers */
	struct channel *channel;     /* that it is prepared for; NULL: it is not */
	u32 what;		     /* TRAPEZE_RING_* */
	u32 of;			     /* as in the ring's entry */
	u32 generation;		     /* of the server that has prepared it */
	u64 number;
	u64 limit; /* time limit in ticks of mtime, 0: none */
	unsigned int limit_ms; /* the same for waits, in milliseconds */
	unsigned int count;
	struct lent lent[TRAPEZE_RING_REGIONS];
	struct completion ended;
	struct trapeze_ring_end end;
};

/** A page by which a program calls its prepared jobs. */
struct channel {
	struct ring *ring;
	struct trapeze_channel *page;
	wait_queue_head_t wakes; /* woken when a call may have ended */
	atomic_t sleepers;	 /* calls of channel_wait() */
	unsigned int number;
	unsigned int users; /* the open file, and each job that it is prepared for; under the ring's lock */
};

struct ring;

/** How the two sides notify each other: by a mailbox, or by the software interrupts of the two harts. */
struct doorbell {
	void __iomem *mailbox; /* registers of this side; NULL: no mailbox */
	unsigned int hart;     /* number of the hart that runs jobs */
	unsigned int irq;
	void (*rung)(struct ring *ring); /* called in the interrupt */
	struct ring *ring;
};

/** Linux' side of the ring. */
struct ring {
	struct device *device;
	struct trapeze_ring *shared;
	phys_addr_t memory; /* where that is */
	phys_addr_t bells;  /* doorbells of channels; 0: none */
	struct channel channels[TRAPEZE_CHANNELS];
	struct doorbell doorbell;
	void (*job_ended)(struct job *job); /* a job of a client has ended; called under `lock` */
	unsigned int width; /* bits of an integer register of the other hart */
	struct workqueue_struct *frees;
	unsigned int room;	 /* free entries; under `lock` */
	wait_queue_head_t roomy; /* woken when room was given back, here or of an account */
	wait_queue_head_t idle; /* woken when no job is in flight */
	atomic_t made;		/* number of jobs that are not freed yet */
	spinlock_t lock;	/* protects the fields below, and what Linux writes of `shared` */
	struct job *jobs[TRAPEZE_RING_ENTRIES]; /* in flight, each at its number modulo entries */
	unsigned int in_flight;
	u64 given;	/* number of job numbers given so far */
	u32 generation; /* of the server that has the jobs; 0: none yet */
	bool is_down;	/* Linux goes down: no more jobs */
	u32 jobs_in;
	u32 ends_out;
	u32 cancels;
};

/** State of the device. */
struct trapeze {
	struct miscdevice misc;
	struct ring ring;
	atomic_t buffers; /* number of buffers that exist */
	atomic_long_t bytes; /* of these buffers */
	unsigned int quota; /* most jobs of an account */
	struct mutex lock;	    /* protects `accounts` */
	struct list_head accounts;
};

/** An open file. */
struct client {
	struct trapeze *trapeze;
	struct account *account;
	atomic_t areas; /* mappings, each of which holds a reference to the file */
	wait_queue_head_t wakes; /* woken when a submitted job has ended */
	struct channel *channel; /* NULL: none; under `lock` until there is one */
	struct mutex lock;
	struct list_head prepared; /* jobs for `channel`; under `lock` */
	struct list_head ended;	 /* submitted jobs with an end to fetch, in the order of ends; under the ring's lock */
	unsigned int in_flight;	 /* submitted jobs in flight; under the ring's lock */
};

/* account.c */

/** The account of whoever calls, with a reference to it. NULL: no memory. */
struct account *account_get(struct trapeze *trapeze);
void account_put(struct account *account);
/** Charges memory of a buffer. Return: whether the account and the device have so much left. */
bool account_charge(struct account *account, size_t bytes);
void account_discharge(struct account *account, size_t bytes);

/* buffers.c */

/** mmap(): makes a new buffer of a client. -ENOMEM: there is none, or it would be more than the account may have. */
int buffer_map(struct client *client, struct vm_area_struct *area);

/**
 * Find the buffer that a part of the caller's memory lies in, and take a reference to it.
 *
 * Return: 0; -EFAULT: the part is not within one buffer of this file, or it is mapped with fewer permissions than the
 * flags require.
 */
int buffer_lend(struct file *file, u64 address, u64 bytes, u32 flags, struct lent *lent);
void buffer_release(struct buffer *buffer);

/** Whether the part holds code of a job for a hart of this width: <trapeze/job_code.h>. */
bool lent_is_code(const struct lent *lent, unsigned int width);
/** Before the job: write this hart's cache back to memory. */
void lent_to_job(const struct lent *lent);
/** After the job: discard what this hart's cache holds of it, because the job has changed memory. */
void lent_from_job(const struct lent *lent);

/* doorbell.c */

/** Enables the doorbell of this side: when it is rung, @p rung is called in the interrupt. */
int doorbell_start(struct doorbell *doorbell, void (*rung)(struct ring *ring), struct ring *ring);
void doorbell_stop(struct doorbell *doorbell);
/** Rings the other side's doorbell. What was written before is visible to the other side when it looks. */
void doorbell_ring(const struct doorbell *doorbell);

/* ring.c */

/** Starts this side. When a job of a client has ended, @p job_ended is called, under the ring's lock. */
int ring_start(struct ring *ring, void (*job_ended)(struct job *job));
/** Stops this side. Waits until no job is in flight. */
void ring_stop(struct ring *ring);
/** Whether there is a server of a version that this driver knows. */
bool ring_is_ready(struct ring *ring);
/**
 * Put a job of a client into the ring, and ring the doorbell. With @p waits it waits for room among the jobs of its account
 * and in the ring: as long as necessary, or no longer than a time limit that the job has.
 *
 * Return: 0, and the number of the job, which may already have ended and be freed. -EAGAIN: no room; -ETIMEDOUT: the
 * same, up to the limit; -ERESTARTSYS: a signal came while it waited; -ENODEV: no server.
 */
int ring_submit(struct ring *ring, struct job *job, bool waits, u64 *number);
/** The job in flight with a number, or NULL. Under the lock. */
struct job *ring_find(const struct ring *ring, u64 number);
/** The server has prepared a job, which is in flight no longer: gives the room in its account back. */
void ring_prepared(struct ring *ring, struct job *job);
/**
 * Have the server drop a prepared job that its client does not list any more, and wait for that; frees the job.
 *
 * Return: 0: the server has dropped it, or is gone; -EINTR: a signal; -ETIMEDOUT: no answer for a second. In both cases the
 * job is dropped and freed later.
 */
int ring_drop(struct ring *ring, struct job *job);
/** Have the server end all prepared jobs, such as those of a Linux before; waits for an entry of the ring, a second at most. */
void ring_drop_all(struct ring *ring);
/** Linux goes down: cancels all jobs, and waits for a second at most, so that none writes to memory later. */
void ring_end_all_jobs(struct ring *ring);
/** Ask the server to end a job in flight. Under the lock; call doorbell_ring() afterwards. */
void ring_cancel(struct ring *ring, const struct job *job);

struct job *job_new(struct ring *ring);
void job_free(struct job *job);

/* channel.c */

/** Begins without a channel in use. */
void channels_init(struct ring *ring);
/** The server has lost all prepared jobs: tells the programs. Under the ring's lock. */
void channels_lost(struct ring *ring);
/** Wakes who waits for calls. */
void channels_look(struct ring *ring);
/** A channel that nobody uses, for an open file; NULL: there is none. */
struct channel *channel_get(struct ring *ring);
void channel_share(struct channel *channel);
void channel_put(struct channel *channel);
/** The channel of an open file, which gets one if it has none. NULL: all are taken. */
struct channel *channel_of(struct client *client);
/** mmap() of a channel, or of its doorbell. */
int channel_map(struct client *client, struct vm_area_struct *area);
/** Sleep until a call has ended. Return: -ETIMEDOUT; -ERESTARTSYS: a signal; -EIO: it is lost; -EINVAL: no channel. */
int channel_wait(struct client *client, u32 number, u32 timeout_ms);

/* client.c */

struct client *client_new(struct trapeze *trapeze);
/** No descriptor of the file is left: its jobs in flight are cancelled, and freed when they end; others are freed. */
void client_drop_jobs(struct client *client);
/** The file is closed, and no buffer of it is mapped any more. */
void client_close(struct client *client);
/** For ring_start(): a job of a client has ended. Under the ring's lock. */
void client_job_ended(struct job *job);
/**
 * Run a job and wait for its end. A signal to the caller cancels the job.
 *
 * Return: 0: job->end says how it ended. Otherwise the job is no longer the caller's: an error of ring_submit(); -EINTR:
 * a signal; -EIO: the server has lost the job.
 */
int client_run(struct client *client, struct job *job);
/** Submit a job whose end is fetched later. The job is no longer the caller's. Return: as ring_submit(). */
int client_submit(struct client *client, struct job *job, bool waits, u64 *number);
/**
 * Take a submitted job that has ended.
 *
 * Return: -EAGAIN: no job has ended, and the caller does not wait; -ENOENT: there is no job to wait for; -ERESTARTSYS:
 * a signal.
 */
int client_fetch(struct client *client, u64 number, bool waits, struct job **job);
/** Give back a job of client_fetch() whose end did not reach the program: it is the next one to be fetched. */
void client_unfetch(struct client *client, struct job *job);
/** Cancel and drop a submitted job whose number did not reach the program. */
void client_forget(struct client *client, u64 number);
bool client_has_ends(struct client *client);
/** Cancel a job. Return: -ENOENT: the client has no such job in flight. */
int client_cancel(struct client *client, u64 number);

/* prepared.c */

/**
 * Have the server prepare a job of a client. The job is no longer the caller's.
 *
 * Return: 0, and the job's handle; -EBUSY: no channel is free; -ENOSPC: the server has no room for another one; -EIO: the
 * server has lost what it prepared for this channel; others as client_run().
 */
int job_prepare(struct client *client, struct job *job, u32 *handle);
/** End a prepared job, and wait for that. Return: -ENOENT: the client has none with this handle; others as ring_drop(). */
int job_drop(struct client *client, u32 handle);

#endif /* DRIVER_H_ */
