/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* The driver's side of the ring (linux/driver/ring.c) on the host, for libFuzzer: the input is what the server writes, at each
 * read and each barrier too, and what programs do meanwhile. Headers of the kernel are empty; what the code uses of them is here.
 * test_fuzz.py builds it.
 */
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64, phys_addr_t, dma_addr_t;
typedef unsigned int kuid_t, wait_queue_head_t, spinlock_t;
typedef int atomic_t;
typedef long atomic_long_t;
struct kref {
	int unused;
};
struct mutex {
	int unused;
};
struct list_head {
	struct list_head *next;
};
struct work_struct {
	bool is_queued;
	void (*function)(struct work_struct *);
};
struct miscdevice {
	int unused;
};
struct completion {
	bool is_done;
};
struct vm_area_struct;
struct file;
struct eventfd_ctx;

static const uint8_t *input, *input_end;
static void change(void);

#define __iomem
#define ERESTARTSYS 512
#define HZ 100
#define GFP_KERNEL 0
#define GFP_KERNEL_ACCOUNT 0
#define MAX_SCHEDULE_TIMEOUT INT64_MAX
#define READ_ONCE(what) (change(), (what))
#define WRITE_ONCE(to, what) ((to) = (what))
#define dma_rmb() change()
#define dma_wmb() change()
#define mb() change()
#define lockdep_assert_held(lock) ((void)(lock))
#define spin_lock_init(lock) (*(lock) = 0)
#define spin_lock(lock) assert((*(lock))++ == 0)
#define spin_unlock(lock) assert(--*(lock) == 0)
#define spin_lock_irq(lock) spin_lock(lock)
#define spin_unlock_irq(lock) spin_unlock(lock)
#define spin_lock_irqsave(lock, flags) ((flags) = 0, (void)(flags), spin_lock(lock))
#define spin_unlock_irqrestore(lock, flags) spin_unlock(lock)
#define init_waitqueue_head(queue) ((void)(queue))
#define wake_up(queue) ((void)(queue))
#define msecs_to_jiffies(ms) (ms)
#define wait_event_interruptible_lock_irq_timeout(queue, condition, lock, left) \
	((condition) ? 1 : (spin_unlock(&lock), answer_all(), (void)spin_lock(&lock), (condition)) ? 1 : draw() % 2 ? 0 : -ERESTARTSYS)
#define wait_event_lock_irq(queue, condition, lock) \
	while (!(condition)) \
	restart()
#define wait_event_timeout(queue, condition, limit) answer_all()
#define wait_event(queue, condition) ((void)(condition))
#define wait_for_completion_interruptible_timeout(of, limit) (look(), (of)->is_done ? 1 : draw() % 2 ? 0 : -ERESTARTSYS)
#define init_completion(of) ((of)->is_done = false)
#define reinit_completion(of) ((of)->is_done = false)
#define INIT_LIST_HEAD(list) ((void)(list))
#define INIT_WORK(work, does) ((work)->function = (does))
#define container_of(at, type, member) ((type *)((char *)(at) - offsetof(type, member)))
#define kzalloc(bytes, flags) calloc(1, bytes)
#define kfree(at) free(at)
#define atomic_inc(of) (++*(of))
#define atomic_dec(of) assert((*(of))-- > 0)
#define get_random_u32() 7
#define alloc_workqueue(name, flags, most) ((struct workqueue_struct *)1)
#define destroy_workqueue(queue) ((void)(queue))
#define flush_workqueue(queue) ((void)(queue))
#define dev_err_ratelimited(device, ...) ((void)(device))
#define dev_info(device, ...) ((void)(device))
#define eventfd_ctx_put(of) ((void)(of))
#define queue_work(queue, work) queue_it(work)

static unsigned int draw(void)
{
	return input < input_end ? *input++ : 0U;
}

static void queue_it(struct work_struct *work);
static void look(void);
static void restart(void);
static void answer_all(void);

#include "linux/driver/ring.c"

enum { QUOTA = 32, MADE = 128 };

static union {
	struct trapeze_ring ring;
	uint32_t words[sizeof(struct trapeze_ring) / 4];
} shared;
static struct ring linux_side;
static struct trapeze device;
static struct account account;
static struct client client;
static struct work_struct *queued[MADE];
static unsigned int count_queued, ends;
static struct job *prepared[MADE];
static unsigned int count_prepared;
static bool is_honest; /* the server answers while the driver waits */

/* The server writes a word, or does nothing. */
static void change(void)
{
	if (draw() % 8U == 7U) {
		const unsigned int at = draw() | draw() << 8;

		/* Mostly in the lines with indices, of which there are few. */
		shared.words[at % 4U != 0U ? at / 4U % 96U : at % (sizeof(shared) / 4U)] = draw() | draw() % 4U << 30;
	}
}

static void queue_it(struct work_struct *work)
{
	assert(!work->is_queued && count_queued < MADE);
	work->is_queued = true;
	queued[count_queued++] = work;
}

static void work(void)
{
	while (count_queued != 0) {
		struct work_struct *const next = queued[--count_queued];

		next->is_queued = false;
		next->function(next);
	}
}

static void look(void)
{
	ring_look(&linux_side);
}

/* A server begins anew; the caller has the lock. */
static void restart(void)
{
	shared.ring.magic = TRAPEZE_RING_MAGIC;
	shared.ring.version = TRAPEZE_RING_VERSION;
	shared.ring.entries = TRAPEZE_RING_ENTRIES;
	shared.ring.generation = linux_side.generation + 1;
	(void)find_server(&linux_side);
}

int doorbell_start(struct doorbell *doorbell, void (*rung)(struct ring *ring), struct ring *ring)
{
	(void)doorbell;
	(void)rung;
	(void)ring;
	return 0;
}

void doorbell_stop(struct doorbell *doorbell)
{
	(void)doorbell;
}

void doorbell_ring(const struct doorbell *doorbell)
{
	(void)doorbell;
	change();
}

void buffer_release(struct buffer *buffer)
{
	(void)buffer;
}

void channel_put(struct channel *channel)
{
	(void)channel;
}

void channels_lost(struct ring *ring)
{
	(void)ring;
}

void channels_look(struct ring *ring)
{
	(void)ring;
}

static void job_ended(struct job *job)
{
	assert(!job->ended.is_done && job->end.id == job->number); /* each has one end, its own */
	job->ended.is_done = true;
	ends++;
}

/* An end of a job that is in flight, or was: the input would have to find its number. */
static void put_end(void)
{
	const struct job *const job = linux_side.jobs[draw() % TRAPEZE_RING_ENTRIES];
	struct trapeze_ring_end *const end = &shared.ring.ends[linux_side.ends_out % TRAPEZE_RING_ENTRIES];

	*end = (struct trapeze_ring_end){.id = job != NULL ? job->number : draw(), .status = draw() % 8U, .result = draw() % 40U};
	shared.ring.ends_in = linux_side.ends_out + 1U + (draw() % 8U == 0U);
}

static void answer_all(void)
{
	for (unsigned int i = 0; is_honest && i < TRAPEZE_RING_ENTRIES; i++) {
		if (linux_side.jobs[i] != NULL) {
			shared.ring.ends[linux_side.ends_out % TRAPEZE_RING_ENTRIES] =
				(struct trapeze_ring_end){.id = linux_side.jobs[i]->number, .status = TRAPEZE_JOB_CANCELLED};
			shared.ring.ends_in = linux_side.ends_out + 1U;
			look();
		}
	}
}

static void submit(u32 what)
{
	struct job *const job = job_new(&linux_side);
	u64 number;

	job->client = &client;
	job->what = what;
	job->limit_ms = 1;
	if (ring_submit(&linux_side, job, draw() % 2U, &number) != 0) {
		job_free(job);
		return;
	}
	if (what == TRAPEZE_RING_RUN) {
		spin_lock(&linux_side.lock);
		if (ring_find(&linux_side, number) == job) {
			job->is_unwanted = true;
			ring_cancel(&linux_side, job);
		}
		spin_unlock(&linux_side.lock);
		if (job->ended.is_done)
			job_free(job);
		return;
	}
	for (unsigned int i = 0; i < 4U && !job->ended.is_done; i++) {
		put_end();
		look();
	}
	spin_lock(&linux_side.lock);
	if (ring_find(&linux_side, number) == job)
		job->is_unwanted = true;
	spin_unlock(&linux_side.lock);
	if (job->is_unwanted)
		return;
	if (job->end.status != TRAPEZE_JOB_DONE || count_prepared == MADE) {
		queue_it(&job->free);
		return;
	}
	ring_prepared(&linux_side, job);
	prepared[count_prepared++] = job;
}

/** Linux goes down, however many jobs are in flight: what is prepared is dropped. */
static void go_down(void)
{
	const struct trapeze_ring_job *last;

	unsigned int jobs = draw();

	input = input_end;
	restart();
	work();
	account.room += QUOTA; /* as two users have */
	for (; jobs != 0U; jobs--) {
		submit(TRAPEZE_RING_RUN);
	}
	is_honest = true;
	ring_end_all_jobs(&linux_side);
	last = &shared.ring.jobs[(linux_side.jobs_in - 1U) % TRAPEZE_RING_ENTRIES];
	assert(linux_side.in_flight == 0U && last->what == TRAPEZE_RING_DROP && last->of == TRAPEZE_RING_ALL);
	is_honest = false;
	work();
	account.room -= QUOTA;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input = data;
	input_end = data + size;
	memset(&shared, 0, sizeof(shared));
	memset(&linux_side, 0, sizeof(linux_side));
	linux_side.shared = &shared.ring;
	account = (struct account){.room = QUOTA, .trapeze = &device};
	client = (struct client){.trapeze = &device, .account = &account};
	assert(ring_start(&linux_side, job_ended) == 0);
	restart();
	while (input < input_end) {
		switch (draw() % 8U) {
		case 0:
			submit(TRAPEZE_RING_RUN);
			break;
		case 1:
			submit(TRAPEZE_RING_PREPARE);
			break;
		case 2:
			if (count_prepared != 0U)
				(void)ring_drop(&linux_side, prepared[--count_prepared]);
			break;
		case 3:
			put_end();
			look();
			break;
		case 4:
			look();
			break;
		case 5:
			work();
			break;
		case 6:
			restart();
			break;
		default:
			(void)ring_is_ready(&linux_side);
			change();
		}
	}
	if (size != 0U && data[0] % 4U == 0U) {
		input = &data[size / 2U];
		go_down();
	}
	/* Another server: nothing is left of what the one before had. */
	while (count_prepared != 0U)
		(void)ring_drop(&linux_side, prepared[--count_prepared]);
	while (count_queued != 0U || linux_side.in_flight != 0U) {
		restart();
		work();
	}
	assert(linux_side.made == 0 && linux_side.room == TRAPEZE_RING_ENTRIES && account.room == QUOTA);
	return 0;
}
