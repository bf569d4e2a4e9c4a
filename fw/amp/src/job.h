/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief A job on this hart, from its descriptor to its end: one that runs once, or one that is prepared for calls
 * (calls.h).
 */
#ifndef JOB_H_
#define JOB_H_

#include <FreeRTOS.h>
#include <limits.h>
#include <port_context.h>
#include <port_rows.h>
#include <stdbool.h>
#include <stdint.h>
#include <task.h>

#include <trapeze/channel.h>
#include <trapeze/jobs.h>
#include <trapeze/ring.h>

/** Result of job_check(): the descriptor is right. */
#define JOB_RIGHT INT_MAX

/** Size in words of the stack that a job's task has in machine mode: 3 KiB. */
#define JOB_KERNEL_STACK (3072U / sizeof(StackType_t))

/** A job. */
struct job {
	struct job *next;  /* next job in the same list */
	uint64_t deadline; /* in mtime; JOB_NEVER: no deadline */
	struct trapeze_ring_job descriptor;
	struct trapeze_ring_end end;
	bool is_prepared; /* it runs for calls, and the fields of `call` count */
	struct {
		bool is_running;
		uint32_t number; /* of the call that runs */
		unsigned int
		    parts; /* that have to be handed over, in `part`; the flags of one are TRAPEZE_RANGE_* */
		struct trapeze_ring_region part[TRAPEZE_CALL_RANGES];
		bool begins_long, ends_long; /* that takes more than a handler may */
	} call;
	struct port_rows rows;
	StaticTask_t task;
	StackType_t kernel_stack[JOB_KERNEL_STACK] __attribute__((aligned(16)));
	uint8_t stack[JOBS_STACK] __attribute__((aligned(16)));
};

/** A deadline that never comes. */
#define JOB_NEVER UINT64_MAX

/**
 * Checks a descriptor against all that docs/remote-jobs.md says of it.
 *
 * @return JOB_RIGHT, the number of the first wrong region, or TRAPEZE_REFUSED_REST
 */
int job_check(const struct trapeze_ring_job *job);

/**
 * Makes a job of a descriptor that has been checked. Its task is in user mode, where main() begins, and ready. For a
 * task of higher priority.
 *
 * @return NULL: there is no memory
 */
struct job *job_make(const struct trapeze_ring_job *descriptor);

/** Begins a job that job_make() has made. Its end is put into the ring when it comes. */
void job_begin(struct job *job);

/** Counts the time of a job with a limit from now on. Call it with interrupts off. */
void job_time_count(struct job *job);

/** Does not count the job's time any more, if it does. Call it with interrupts off. */
void job_time_end(struct job *job);

/** Writes back what the cache holds of the job's regions, and frees a job whose task is suspended. */
void job_destroy(struct job *job);

/** return.S: address to which main() of a job returns, in user mode. It holds one ecall. */
extern const char job_return[];

/** Lets the task of a job, which waits or has ended, begin main() anew, with these arguments behind the regions. */
static inline void job_enter(struct job *job, const uint64_t arguments[TRAPEZE_CALL_ARGUMENTS])
{
	struct port_context *context = port_context_of((TaskHandle_t)&job->task);
	struct trap_frame *frame = &context->frame;
	const struct trapeze_ring_region *regions = job->descriptor.regions;

	/* Addresses of regions that there are not are 0. */
	for (unsigned int i = 1; i < TRAPEZE_RING_REGIONS; i++) {
		frame->x[10U + i - 1U] = (uintptr_t)regions[i].address;
	}
	for (unsigned int i = 0; i < TRAPEZE_CALL_ARGUMENTS; i++) {
		frame->x[10U + TRAPEZE_RING_REGIONS - 1U + i] = (csr_value_t)arguments[i];
	}
	port_enter_user_again(context, (uintptr_t)regions[0].address,
			      (uintptr_t)job->stack + sizeof(job->stack), (uintptr_t)job_return,
			      &job->rows);
}

/** Ends the jobs that Linux wants to be cancelled, whatever their state. Call it with interrupts off. */
void job_end_cancelled(void);

/** Ends the jobs whose time limit is over. For a task of higher priority than theirs. */
void job_end_overdue(void);

/** Ticks of the kernel until the next time limit of a job; portMAX_DELAY: no job has a limit. */
TickType_t job_ticks_left(void);

/** Frees the jobs that have ended. For a task of higher priority than theirs. */
void job_free_ended(void);

#endif /* JOB_H_ */
