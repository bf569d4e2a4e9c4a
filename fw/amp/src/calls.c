/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Calls of prepared jobs: the handler of their doorbells, their beginning and their end, and the jobs. */
#include <FreeRTOS.h>
#include <stddef.h>
#include <string.h>
#include <task.h>

#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>

#include "cache.h"
#include "calls.h"
#include "ranges.h"
#include "server.h"

#ifdef TRAPEZE_BELLS_BASE

#include "channel.h"

#define BELLS_IRQ IRQ_PLATFORM(TRAPEZE_BELLS_LINE)

#ifdef configTRAPEZE_QUICK_IRQ
_Static_assert(configTRAPEZE_QUICK_IRQ == BELLS_IRQ, "for assembly");
#endif

/* Prepared jobs with a time limit. */
static unsigned int limited;

/* By handle. Interrupts are off where it is written. */
static struct job *prepared[TRAPEZE_PREPARED];

/* ---------------------------------------------------------------- the end of a call */

static void conclude(struct job *job)
{
	channel_answer(job->descriptor.of, job->call.number, &job->end);
	job->call.is_running = false;
}

#ifdef __riscv_zicbom
/* Writes back what the program wants to read. */
static void write_back(const struct job *job)
{
	if (job->call.parts != 0U) {
		ranges_each(job, TRAPEZE_RANGE_WANTED, cache_flush);
		hart_fence();
	}
}

/* The same in the job's task, in machine mode, with interrupts enabled. */
static void write_back_and_conclude(void *parameters)
{
	struct job *job = parameters;

	write_back(job);
	taskENTER_CRITICAL();
	conclude(job);
	channel_look_again(job->descriptor.of);
	vTaskSuspend(NULL); /* it goes on in main() */
}
#else
static void write_back(const struct job *job)
{
	(void)job;
}
#endif

static bool begin_next(unsigned int channel);

void calls_ended(struct job *job)
{
#ifdef __riscv_zicbom
	if (job->call.ends_long) {
		port_borrow_settle((TaskHandle_t)&job->task);
		port_leave_user(port_context_of((TaskHandle_t)&job->task), write_back_and_conclude,
				job);
		return;
	}
#endif
	write_back(job);
	conclude(job);
	if (port_borrow_end((TaskHandle_t)&job->task)) {
		/* Its ring may be one with that of the call that has ended. */
		if (channel_has_next(job->descriptor.of)) {
			channel_look_again(job->descriptor.of);
		}
		return;
	}
	vTaskSuspend((TaskHandle_t)&job->task);
	/* A caller that waits for nothing else has written its next call by now. */
	*channel_bells(TRAPEZE_BELLS_BELLS_OFFSET) = 1U << job->descriptor.of;
	hart_fence();
	while (begin_next(job->descriptor.of)) {
	}
}

struct port_context *port_quick_end(struct port_context *context, csr_value_t a0, csr_value_t a1)
{
	struct job *job = (struct job *)((uintptr_t)port_user_task() - offsetof(struct job, task));
	const unsigned int channel = job->descriptor.of;

	(void)context;
#if __riscv_xlen == 64
	(void)a1;
	job->end.result = (int64_t)a0;
#else
	job->end.result = (int64_t)((uint64_t)a1 << 32 | a0);
#endif
	job->end.status = TRAPEZE_JOB_DONE;
	write_back(job);
	conclude(job);
	if (channel_has_next(channel)) {
		channel_look_again(channel);
	}
	return port_quick_leave();
}

/* ---------------------------------------------------------------- the beginning of a call */

/* The place of the next call of a channel; NULL: the program has not written it. */
static inline __attribute__((always_inline)) const struct trapeze_call *
next_call(unsigned int channel)
{
	const uint32_t number = channels[channel].next;
	const struct trapeze_call *call =
	    &channel_page(channel)->calls[number % TRAPEZE_CHANNEL_CALLS];

	if (channels[channel].jobs == 0U || channel_load(&call->number) != number) {
		return NULL;
	}
	__asm__ volatile("fence r, r" : : : "memory");
	return call;
}

/* The job that a call of a channel names; NULL: none of the channel's. Takes its ranges if the job is idle. */
static inline __attribute__((always_inline)) struct job *called(unsigned int channel,
								const struct trapeze_call *call)
{
	const uint32_t names = ((const volatile uint32_t *)&call->head)[1];
	const uint32_t handle = names & UINT16_MAX;
	struct job *job = handle < TRAPEZE_PREPARED ? prepared[handle] : NULL;

	if (job == NULL || job->descriptor.of != channel) {
		return NULL;
	}
#ifdef __riscv_zicbom
	if (!job->call.is_running) {
		ranges_take(job, call, names >> 16);
	}
#endif
	return job;
}

/* Drops what the cache has of what the program has written. */
static inline __attribute__((always_inline)) void forget_fresh(const struct job *job)
{
#ifdef __riscv_zicbom
	ranges_each(job, TRAPEZE_RANGE_FRESH, cache_forget);
#else
	(void)job;
#endif
}

/* Takes the next call of the channel of an idle job, which it names. */
static inline __attribute__((always_inline)) void take(struct job *job)
{
	job->call.number = channels[job->descriptor.of].next++;
	job->call.is_running = true;
}

/* Lets the job's function begin anew. */
static void enter(struct job *job)
{
	struct port_context *context = port_context_of((TaskHandle_t)&job->task);

	/* write_back_and_conclude() has left the kernel's registers behind. */
	if (context->rows == NULL) {
		memset(context->frame.x, 0, sizeof(context->frame.x));
	}
	job_enter(job, channel_page(job->descriptor.of)
			   ->calls[job->call.number % TRAPEZE_CHANNEL_CALLS]
			   .arguments);
}

/* With much to write back, the end of a call that has begun is calls_ended(), not port_quick_end(). */
static inline __attribute__((always_inline)) void choose_end(struct job *job)
{
	if (job->call.ends_long) {
		port_context_of((TaskHandle_t)&job->task)->quick = 0U;
	}
}

/* Begins the call that take() has taken, of which nothing fresh is in the cache. Interrupts are off. */
static void begin(struct job *job, bool may_borrow)
{
	TaskHandle_t task = (TaskHandle_t)&job->task;

	enter(job);
	if (job->descriptor.limit != 0U) {
		job_time_count(job);
	}
	if (!may_borrow || job->descriptor.limit != 0U || !port_borrow(task, JOBS_PRIORITY)) {
		portYIELD_FROM_ISR(xTaskResumeFromISR(task));
	}
	choose_end(job);
}

/* Begins the next call of a channel if there is one and its job is idle, in a handler. */
static bool begin_next(unsigned int channel)
{
	const struct trapeze_call *call = next_call(channel);
	struct job *job;

	if (call == NULL) {
		return false;
	}
	job = called(channel, call);
	if (job == NULL) {
		channel_refuse_next(channel);
		channel_look_again(channel);
		return false;
	}
	if (job->call.is_running) {
		return false;
	}
	if (job->call.begins_long) {
		channels[channel].is_for_server = true;
		server_wake_from_handler();
		return false;
	}
	take(job);
	forget_fresh(job);
	begin(job, true);
	return true;
}

/* The quick way of a call: the hart is idle, and the call has no work that takes time. All else is the handler's. What it
 * does is what begin_next() and rung() do.
 */
struct port_context *port_quick_interrupt(void)
{
	const struct trapeze_call *call;
	struct port_context *context;
	struct job *job;
	uint32_t rings;
	unsigned int channel;

	if (!port_quick_can()) {
		return NULL;
	}
	rings = *channel_bells(TRAPEZE_BELLS_BELLS_OFFSET);
	channel = (unsigned int)__builtin_ctz(rings | 1U << TRAPEZE_CHANNELS);
	if ((rings & (rings - 1U)) != 0U || rings == 0U) {
		return NULL;
	}
	call = next_call(channel);
	job = call != NULL ? called(channel, call) : NULL;
	if (job == NULL || job->call.is_running || job->call.begins_long ||
	    job->descriptor.limit != 0U) {
		return NULL;
	}
	/* Whoever rings from here on has his call looked at when this one ends. */
	*channel_bells(TRAPEZE_BELLS_BELLS_OFFSET) = rings;
	*channel_bells(TRAPEZE_BELLS_INTERVAL_OFFSET) = 0U;
	take(job);
	forget_fresh(job);
	context = port_context_of((TaskHandle_t)&job->task);
	if (context->quick == 0U) {
		enter(job);
	} else {
		/* All but the arguments is as it was entered. */
		for (unsigned int i = 0; i < TRAPEZE_CALL_ARGUMENTS; i++) {
			context->frame.x[10U + TRAPEZE_RING_REGIONS - 1U + i] =
			    (csr_value_t)call->arguments[i];
		}
	}
	port_quick_enter((TaskHandle_t)&job->task);
	choose_end(job);
	return context;
}

/* The handler of the doorbells. */
static void rung(void *arg)
{
	uint32_t rings = *channel_bells(TRAPEZE_BELLS_BELLS_OFFSET);
	bool is_useful = false;

	(void)arg;
	*channel_bells(TRAPEZE_BELLS_INTERVAL_OFFSET) = JOBS_RING_INTERVAL;
	/* This comes first, so that a call written meanwhile rings again. */
	*channel_bells(TRAPEZE_BELLS_BELLS_OFFSET) = rings;
	hart_fence();
	for (; rings != 0U; rings &= rings - 1U) {
		while (begin_next((unsigned int)__builtin_ctz(rings))) {
			is_useful = true;
		}
	}
	/* There are as many useful rings as calls that end, and calls wait for all tasks above them. Others keep the
	 * interval. */
	if (is_useful) {
		*channel_bells(TRAPEZE_BELLS_INTERVAL_OFFSET) = 0U;
	}
}

void calls_serve(void)
{
	for (unsigned int channel = 0; channel < TRAPEZE_CHANNELS; channel++) {
		const struct trapeze_call *call;
		struct job *job = NULL;

		taskENTER_CRITICAL();
		if (channels[channel].is_for_server) {
			channels[channel].is_for_server = false;
			call = next_call(channel);
			job = call != NULL ? called(channel, call) : NULL;
			if (job == NULL || job->call.is_running) { /* changed since */
				channel_look_again(channel);
				job = NULL;
			} else {
				take(job);
			}
		}
		taskEXIT_CRITICAL();
		if (job == NULL) {
			continue;
		}
		/* With interrupts on: the program says how many lines. Only this task drops the job. */
		forget_fresh(job);
		taskENTER_CRITICAL();
		begin(job, false);
		taskEXIT_CRITICAL();
	}
}

/* ---------------------------------------------------------------- prepared jobs */

bool calls_have_limits(void)
{
	return limited != 0U;
}

void calls_start(void)
{
	(void)irq_connect(BELLS_IRQ, rung, NULL);
	*channel_bells(TRAPEZE_BELLS_ENABLE_OFFSET) = TRAPEZE_BELLS_ENABLE_BELLS_MASK;
	irq_enable(BELLS_IRQ);
}

bool calls_prepare(const struct trapeze_ring_job *descriptor, uint32_t *handle)
{
	struct job *job;

	for (*handle = 0U; *handle < TRAPEZE_PREPARED && prepared[*handle] != NULL; ++*handle) {
	}
	if (*handle == TRAPEZE_PREPARED) {
		return false;
	}
	job = job_make(descriptor);
	if (job == NULL) {
		return false;
	}
	job->is_prepared = true;
	job->call.is_running = false;
	job->call.parts = 0U;
	job->call.begins_long = job->call.ends_long = false;
	limited += descriptor->limit != 0U ? 1U : 0U;
	vTaskSuspend((TaskHandle_t)&job->task);
	taskENTER_CRITICAL();
	prepared[*handle] = job;
	if (channels[descriptor->of].jobs++ == 0U) {
		channels[descriptor->of].next = channel_load(&channel_page(descriptor->of)->first);
	}
	taskEXIT_CRITICAL();
	return true;
}

static bool drop_one(uint32_t handle)
{
	struct job *job = handle < TRAPEZE_PREPARED ? prepared[handle] : NULL;

	if (job == NULL) {
		return false;
	}
	taskENTER_CRITICAL();
	prepared[handle] = NULL;
	if (job->call.is_running) {
		job_time_end(job);
		vTaskSuspend((TaskHandle_t)&job->task);
		job->end = (struct trapeze_ring_end){.status = TRAPEZE_JOB_CANCELLED};
		conclude(job);
		channel_look_again(job->descriptor.of);
	}
	if (--channels[job->descriptor.of].jobs == 0U) {
		/* Nobody looks at the channel any more. */
		for (unsigned int i = 0;
		     i < TRAPEZE_CHANNEL_CALLS && channel_has_next(job->descriptor.of); i++) {
			channel_refuse_next(job->descriptor.of);
		}
	}
	taskEXIT_CRITICAL();
	limited -= job->descriptor.limit != 0U ? 1U : 0U;
	job_destroy(job);
	return true;
}

bool calls_drop(uint32_t handle)
{
	if (handle != TRAPEZE_RING_ALL) {
		return drop_one(handle);
	}
	for (uint32_t each = 0; each < TRAPEZE_PREPARED; each++) {
		(void)drop_one(each);
	}
	return true;
}

#else /* no doorbells */

void calls_start(void)
{
}

bool calls_prepare(const struct trapeze_ring_job *descriptor, uint32_t *handle)
{
	(void)descriptor;
	(void)handle;
	return false;
}

bool calls_drop(uint32_t handle)
{
	(void)handle;
	return false;
}

void calls_ended(struct job *job)
{
	(void)job;
}

bool calls_have_limits(void)
{
	return false;
}

void calls_serve(void)
{
}

#endif
