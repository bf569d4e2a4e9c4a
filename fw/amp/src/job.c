/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A job: a task in user mode behind rows of memory protection, and the work of machine mode before and after it. */
#include <FreeRTOS.h>
#include <port_context.h>
#include <stddef.h>
#include <string.h>
#include <task.h>

#include <trapeze/csr.h>
#include <trapeze/hart.h>
#include <trapeze/timer.h>

#include "cache.h"
#include "calls.h"
#include "job.h"
#include "ring.h"

#define RETURN_BYTES 64U

/* Cycles of mtime in a tick of the kernel. */
#define TICK_CYCLES ((uint64_t)(configCPU_CLOCK_HZ / configTICK_RATE_HZ))

/* Jobs that run once, in user mode, running or ready; and prepared jobs with a time limit whose call runs. Interrupts are
 * off where the list is read or written. */
static struct job *live;

/* Jobs that have ended and are not freed yet. */
static struct job *ended;

/* ---------------------------------------------------------------- the end */

/* The task of a job after its end, in machine mode, with interrupts enabled. However the job ended, its regions are
 * written back from the cache: a line that stayed could be written back later, to memory that Linux has given to
 * another program by then. Its other regions leave the cache, too: the job of that program could read there what
 * stayed, or write it back with its outputs.
 */
static void finish(void *parameters)
{
	struct job *job = parameters;

	for (unsigned int i = 0; i < job->descriptor.count; i++) {
		cache_flush(&job->descriptor.regions[i]);
	}
	hart_fence();
	taskENTER_CRITICAL();
	job->next = ended;
	ended = job;
	ring_put_end(&job->end);
	taskEXIT_CRITICAL();
	for (;;) {
		vTaskSuspend(NULL);
	}
}

static void live_add(struct job *job)
{
	job->next = live;
	live = job;
}

static void live_remove(struct job *job)
{
	struct job **link = &live;

	while (*link != job) {
		link = &(*link)->next;
	}
	*link = job->next;
}

void job_time_end(struct job *job)
{
	if (job->deadline != JOB_NEVER) {
		live_remove(job);
		job->deadline = JOB_NEVER;
	}
}

/* Takes a job out of user mode for good, or until the next call. Its task is running or ready, because user mode waits
 * for nothing, so the whole state of the job is in the task's context. Call it with interrupts off.
 */
static void leave(struct job *job, uint32_t status)
{
	job->end.status = status;
	if (job->is_prepared) {
		if (job->deadline != JOB_NEVER) {
			job_time_end(job);
		}
		calls_ended(job);
	} else {
		live_remove(job);
		port_leave_user(port_context_of((TaskHandle_t)&job->task), finish, job);
	}
}

/* Ends a job that has not ended by itself. */
static void stop(struct job *job, uint32_t status)
{
	job->end.pc = port_context_of((TaskHandle_t)&job->task)->frame.mepc;
	job->end.result = 0; /* of an earlier call */
	leave(job, status);
}

static bool lies_in(uint64_t address, uint64_t begin, uint64_t bytes)
{
	return address - begin < bytes;
}

static uint32_t place_of(const struct job *job, uint64_t address, uint64_t sp)
{
	const uintptr_t stack = (uintptr_t)job->stack;

	for (uint32_t i = 0; i < job->descriptor.count; i++) {
		const struct trapeze_ring_region *region = &job->descriptor.regions[i];

		if (lies_in(address, region->address, region->bytes)) {
			return i;
		}
	}
	if (lies_in(address, stack, JOBS_STACK)) {
		return TRAPEZE_PLACE_STACK;
	}
	return sp <= address && address < stack ? TRAPEZE_PLACE_BELOW_STACK : TRAPEZE_PLACE_NONE;
}

/* Whether mtval is an address. For some exceptions it is 0 or the instruction. */
static bool is_of_access(uint64_t cause)
{
	switch (cause) {
	case MCAUSE_FETCH_MISALIGNED:
	case MCAUSE_FETCH_FAULT:
	case MCAUSE_LOAD_MISALIGNED:
	case MCAUSE_LOAD_FAULT:
	case MCAUSE_STORE_MISALIGNED:
	case MCAUSE_STORE_FAULT:
		return true;
	default:
		return false;
	}
}

/* The result of a job: 64 bits, in a0, or in a0 and a1. */
static int64_t result_of(const struct trap_frame *frame)
{
#if __riscv_xlen == 64
	return (int64_t)frame->x[10];
#else
	return (int64_t)((uint64_t)frame->x[11] << 32 | frame->x[10]);
#endif
}

void port_user_exception(struct port_context *context)
{
	TaskHandle_t task = port_user_task();
	struct job *job = (struct job *)((uintptr_t)task - offsetof(struct job, task));
	const struct trap_frame *frame = &context->frame;

	const csr_value_t cause = port_cause(context);

	if (cause == MCAUSE_ECALL_U && frame->mepc == (uintptr_t)job_return) {
		job->end.result = result_of(frame);
		leave(job, TRAPEZE_JOB_DONE);
	} else {
		job->end.cause = (uint32_t)cause;
		job->end.address = frame->mtval;
		job->end.place = is_of_access(cause) ? place_of(job, frame->mtval, frame->x[2])
						     : TRAPEZE_PLACE_NONE;
		stop(job, TRAPEZE_JOB_FAULT);
	}
}

void job_end_cancelled(void)
{
	struct job *next;

	for (struct job *job = live; job != NULL; job = next) {
		next = job->next;
		if (!job->is_prepared && ring_is_cancelled(job->descriptor.id)) {
			stop(job, TRAPEZE_JOB_CANCELLED);
		}
	}
}

void job_time_count(struct job *job)
{
	const uint64_t limit = job->descriptor.limit, now = timer_now();

	if (limit < JOB_NEVER - now) {
		job->deadline = now + limit;
		live_add(job);
	}
}

void job_end_overdue(void)
{
	struct job *next;

	taskENTER_CRITICAL();
	for (struct job *job = live; job != NULL; job = next) {
		next = job->next;
		if (job->deadline != JOB_NEVER && timer_now() >= job->deadline) {
			stop(job, TRAPEZE_JOB_TIME_LIMIT);
		}
	}
	taskEXIT_CRITICAL();
}

TickType_t job_ticks_left(void)
{
	uint64_t first = JOB_NEVER;

	taskENTER_CRITICAL();
	for (const struct job *job = live; job != NULL; job = job->next) {
		if (job->deadline < first) {
			first = job->deadline;
		}
	}
	taskEXIT_CRITICAL();
	if (calls_have_limits()) {
		return 1U; /* a call begins without the server */
	}
	if (first == JOB_NEVER) {
		return portMAX_DELAY;
	}

	uint64_t now = timer_now();
	/* Plus one tick, because the next tick may be near. */
	uint64_t ticks = first > now ? (first - now) / TICK_CYCLES + 1U : 1U;

	return ticks < portMAX_DELAY ? (TickType_t)ticks : portMAX_DELAY - 1U;
}

void job_free_ended(void)
{
	taskENTER_CRITICAL();
	struct job *job = ended;

	ended = NULL;
	taskEXIT_CRITICAL();
	while (job != NULL) {
		struct job *next = job->next;

		vTaskDelete((TaskHandle_t)&job->task);
		vPortFree(job);
		job = next;
	}
}

/* ---------------------------------------------------------------- the beginning */

static void rows_make(struct job *job)
{
	struct port_rows *rows = &job->rows;
	unsigned int row = 1U;

	port_row_set(rows, 0U, (uintptr_t)job_return | (RETURN_BYTES / 2U - 1U),
		     PORT_ROW_NAPOT | PMP_EXECUTE);
	row = port_rows_add(rows, row, (uintptr_t)job->stack, JOBS_STACK, PMP_READ | PMP_WRITE);
	for (unsigned int i = 0; i < job->descriptor.count; i++) {
		const struct trapeze_ring_region *region = &job->descriptor.regions[i];
		unsigned int may =
		    PMP_READ; /* PMP_WRITE alone is reserved, so reading is always allowed */

		if ((region->flags & TRAPEZE_REGION_WRITE) != 0U) {
			may |= PMP_WRITE;
		}
		if ((region->flags & TRAPEZE_REGION_EXECUTE) != 0U) {
			may |= PMP_EXECUTE;
		}
		row = port_rows_add(rows, row, region->address, region->bytes, may);
	}
}

static void never(void *parameters)
{
	(void)parameters; /* its task begins in user mode */
}

struct job *job_make(const struct trapeze_ring_job *descriptor)
{
	struct job *job = pvPortMalloc(sizeof(*job));

	if (job == NULL) {
		return NULL;
	}
	job->descriptor = *descriptor;
	job->end = (struct trapeze_ring_end){.id = descriptor->id};
	job->deadline = JOB_NEVER;
	job->is_prepared = false;
	memset(&job->rows, 0, sizeof(job->rows));
	/* The stack belonged to another job before. */
	memset(job->stack, 0, sizeof(job->stack));
	rows_make(job);
	for (unsigned int i = 0; i < descriptor->count; i++) {
		cache_forget(&descriptor->regions[i]);
	}
	hart_fence();
	__asm__ volatile("fence.i" : : : "memory");

	TaskHandle_t task = xTaskCreateStatic(never, "job", JOB_KERNEL_STACK, NULL, JOBS_PRIORITY,
					      job->kernel_stack, &job->task);

	(void)port_enter_user(task, 0U, 0U, 0U, &job->rows);
	job_enter(job, (const uint64_t[TRAPEZE_CALL_ARGUMENTS]){0});
	return job;
}

void job_begin(struct job *job)
{
	const uint64_t limit = job->descriptor.limit;
	const uint64_t now = timer_now();

	job->deadline = limit != 0U && limit < JOB_NEVER - now ? now + limit : JOB_NEVER;
	taskENTER_CRITICAL();
	live_add(job);
	/* A cancel may have come while the job was still waiting: the doorbell's handler did not find it here then. */
	if (ring_is_cancelled(job->descriptor.id)) {
		stop(job, TRAPEZE_JOB_CANCELLED);
	}
	taskEXIT_CRITICAL();
}

void job_destroy(struct job *job)
{
	for (unsigned int i = 0; i < job->descriptor.count; i++) {
		cache_flush(&job->descriptor.regions[i]);
	}
	hart_fence();
	vTaskDelete((TaskHandle_t)&job->task);
	vPortFree(job);
}
