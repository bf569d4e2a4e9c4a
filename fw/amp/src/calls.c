/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Calls of prepared jobs: channels, the handler of their doorbells, and answers. */
#include <FreeRTOS.h>
#include <stddef.h>
#include <string.h>
#include <task.h>

#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>

#include "cache.h"
#include "calls.h"
#include "doorbell.h"
#include "server.h"

#ifdef TRAPEZE_BELLS_BASE

#include <trapeze/bell_pages.h>
#include <trapeze/bells.h>

#define BELLS_IRQ IRQ_PLATFORM(TRAPEZE_BELLS_LINE)

_Static_assert(TRAPEZE_CHANNEL_OFFSET + TRAPEZE_CHANNELS * TRAPEZE_CHANNEL_BYTES <=
		   TRAPEZE_RING_SIZE,
	       "the region is large enough");
_Static_assert(sizeof(struct trapeze_ring) <= TRAPEZE_CHANNEL_OFFSET,
	       "channels are behind the ring");
_Static_assert(TRAPEZE_CHANNELS == TRAPEZE_BELL_PAGES_RING_COUNT, "each channel has a doorbell");

/* The server's side of a channel. */
static struct channel {
	uint32_t next;      /* number of the call to be taken next */
	unsigned int jobs;  /* prepared for it */
	bool is_for_server; /* the next call has work for the server's task */
} channels[TRAPEZE_CHANNELS];

/* Prepared jobs with a time limit. */
static unsigned int limited;

/* By handle. Interrupts are off where it is written. */
static struct job *prepared[TRAPEZE_PREPARED];

static struct trapeze_channel *page_of(unsigned int channel)
{
	return (struct trapeze_channel *)((uintptr_t)TRAPEZE_RING_BASE + TRAPEZE_CHANNEL_OFFSET +
					  channel * TRAPEZE_CHANNEL_BYTES);
}

static uint32_t load(const uint32_t *at)
{
	return __atomic_load_n(at, __ATOMIC_RELAXED);
}

static volatile uint32_t *bells(uint32_t offset)
{
	return (volatile uint32_t *)((uintptr_t)TRAPEZE_BELLS_BASE + offset);
}

/* Looks at the channel once more by its doorbell's handler, no sooner than the doorbells' interval allows. */
static void look_again(unsigned int channel)
{
	*(volatile uint32_t *)((uintptr_t)TRAPEZE_BELL_PAGES_BASE + TRAPEZE_BELL_PAGES_RING_OFFSET +
			       channel * TRAPEZE_BELL_PAGES_RING_STRIDE) =
	    TRAPEZE_BELL_PAGES_RING_BELL_MASK;
}

/* Whether the program has written the call that is to be taken next. */
static inline bool is_next_there(unsigned int channel)
{
	const uint32_t next = channels[channel].next;

	return load(&page_of(channel)->calls[next % TRAPEZE_CHANNEL_CALLS].number) == next;
}

/* ---------------------------------------------------------------- the end of a call */

static void answer(unsigned int channel, uint32_t number, const struct trapeze_ring_end *end)
{
	struct trapeze_channel *page = page_of(channel);
	struct trapeze_answer *to = &page->answers[number % TRAPEZE_CHANNEL_CALLS];

	to->result = end->result;
	if (end->status != TRAPEZE_JOB_DONE) {
		to->address = end->address;
		to->pc = end->pc;
		to->cause = end->cause;
		to->place = end->place;
	}
	__asm__ volatile("fence w, w" : : : "memory");
	__atomic_store_n(&to->status, end->status, __ATOMIC_RELAXED);
	__asm__ volatile("fence w, w" : : : "memory");
	__atomic_store_n(&to->number, number, __ATOMIC_RELAXED);
	/* A program says that it sleeps, and then looks at the answer once more. */
	hart_fence();
	if (load(&page->sleeps) != 0U) {
		doorbell_ring();
	}
}

/* Answers the next call, which no job takes. Interrupts are off. */
static void refuse_next(unsigned int channel)
{
	answer(channel, channels[channel].next++,
	       &(struct trapeze_ring_end){.status = TRAPEZE_JOB_REFUSED,
					  .result = TRAPEZE_REFUSED_REST});
}

static void conclude(struct job *job)
{
	answer(job->descriptor.of, job->call.number, &job->end);
	job->call.is_running = false;
}

#ifdef __riscv_zicbom
/* Takes the ranges of a call. */
static void take_ranges(struct job *job, const struct trapeze_call *call)
{
	unsigned int count = *(const volatile uint16_t *)&call->count;

	job->call.count = count < TRAPEZE_CALL_RANGES ? count : TRAPEZE_CALL_RANGES;
	for (unsigned int i = 0; i < job->call.count; i++) {
		job->call.ranges[i] = call->ranges[i];
	}
	/* From here on only the copy is read: the program may change its own meanwhile. */
	__asm__ volatile("" : : : "memory");
}

/* Executes a function for the parts of regions that the ranges of a kind are. */
static void for_ranges(const struct job *job, uint8_t what,
		       void (*function)(const struct trapeze_ring_region *))
{
	for (unsigned int i = 0; i < job->call.count; i++) {
		const struct trapeze_call_range *range = &job->call.ranges[i];
		struct trapeze_ring_region part;
		uint32_t lines;

		if ((range->what & what) == 0U || range->region >= job->descriptor.count) {
			continue;
		}
		part = job->descriptor.regions[range->region];
		lines = part.bytes / TRAPEZE_RING_LINE;
		if (range->first > range->last || range->first >= lines) {
			continue;
		}
		lines = (range->last < lines ? range->last + 1U : lines) - range->first;
		part.address += (uint64_t)range->first * TRAPEZE_RING_LINE;
		part.bytes = lines * TRAPEZE_RING_LINE;
		function(&part);
	}
}

/* The job's task, in machine mode, with interrupts enabled: writes back what the program wants to read. */
static void write_back(void *parameters)
{
	struct job *job = parameters;

	for_ranges(job, TRAPEZE_RANGE_WANTED, cache_flush);
	hart_fence();
	taskENTER_CRITICAL();
	conclude(job);
	look_again(job->descriptor.of);
	vTaskSuspend(NULL); /* it goes on in main() */
}
#endif

static bool begin_next(unsigned int channel);

void calls_ended(struct job *job)
{
#ifdef __riscv_zicbom
	if (job->call.count != 0U) {
		port_leave_user(port_context_of((TaskHandle_t)&job->task), write_back, job);
		return;
	}
#endif
	conclude(job);
	if (port_borrow_end((TaskHandle_t)&job->task)) {
		/* Its ring may be one with that of the call that has ended. */
		if (is_next_there(job->descriptor.of)) {
			look_again(job->descriptor.of);
		}
		return;
	}
	vTaskSuspend((TaskHandle_t)&job->task);
	/* A caller that waits for nothing else has written its next call by now. */
	*bells(TRAPEZE_BELLS_BELLS_OFFSET) = 1U << job->descriptor.of;
	hart_fence();
	while (begin_next(job->descriptor.of)) {
	}
}

/* ---------------------------------------------------------------- the beginning of a call */

/* Takes the next call of a channel if there is one and its job is idle. Interrupts are off. */
static inline __attribute__((always_inline)) struct job *take_next(unsigned int channel,
								   bool is_handler)
{
	const uint32_t number = channels[channel].next;
	const struct trapeze_call *call = &page_of(channel)->calls[number % TRAPEZE_CHANNEL_CALLS];
	struct job *job;
	uint32_t handle;

	if (channels[channel].jobs == 0U || load(&call->number) != number) {
		return NULL;
	}
	__asm__ volatile("fence r, r" : : : "memory");
	handle = *(const volatile uint16_t *)&call->handle;
	job = handle < TRAPEZE_PREPARED ? prepared[handle] : NULL;
	if (job == NULL || job->descriptor.of != channel) {
		refuse_next(channel);
		look_again(channel);
		return NULL;
	}
	if (job->call.is_running) {
		return NULL;
	}
#ifdef __riscv_zicbom
	take_ranges(job, call);
	/* Cache maintenance takes time, so it is a task's work. */
	if (is_handler && job->call.count != 0U) {
		channels[channel].is_for_server = true;
		server_wake_from_handler();
		return NULL;
	}
#else
	(void)is_handler;
#endif
	channels[channel].next = number + 1U;
	job->call.number = number;
	job->call.is_running = true;
	return job;
}

/* Begins the call that take_next() has taken. Interrupts are off. */
static inline __attribute__((always_inline)) void begin(struct job *job, bool is_handler)
{
	TaskHandle_t task = (TaskHandle_t)&job->task;

#ifdef __riscv_zicbom
	/* write_back() has left the kernel's registers behind. */
	if (port_context_of(task)->rows == NULL) {
		memset(port_context_of(task)->frame.x, 0, sizeof(port_context_of(task)->frame.x));
	}
#endif
	job_enter(
	    job,
	    page_of(job->descriptor.of)->calls[job->call.number % TRAPEZE_CHANNEL_CALLS].arguments);
	if (job->descriptor.limit != 0U) {
		job_time_count(job);
	}
	if (!is_handler || job->descriptor.limit != 0U || !port_borrow(task, JOBS_PRIORITY)) {
		portYIELD_FROM_ISR(xTaskResumeFromISR(task));
	}
}

/* Begins the next call of a channel if there is one and its job is idle, in a handler. */
static bool begin_next(unsigned int channel)
{
	struct job *job = take_next(channel, true);

	if (job != NULL) {
		begin(job, true);
	}
	return job != NULL;
}

/* The quick way of a call: the hart is idle, and the call has no work that takes time. All else is the handler's. What it
 * does is what begin_next() and rung() do.
 */
struct port_context *port_quick_interrupt(void)
{
	const uint32_t rings = *bells(TRAPEZE_BELLS_BELLS_OFFSET);
	const unsigned int number = (unsigned int)__builtin_ctz(rings | 1U << TRAPEZE_CHANNELS);
	struct channel *channel = &channels[number];
	const struct trapeze_call *call;
	struct port_context *context;
	struct job *job;
	uint32_t handle;

	if ((rings & (rings - 1U)) != 0U || rings == 0U || channel->jobs == 0U ||
	    !port_quick_can()) {
		return NULL;
	}
	call = &page_of(number)->calls[channel->next % TRAPEZE_CHANNEL_CALLS];
	if (load(&call->number) != channel->next) {
		return NULL;
	}
	__asm__ volatile("fence r, r" : : : "memory");
	handle = *(const volatile uint16_t *)&call->handle;
	job = handle < TRAPEZE_PREPARED ? prepared[handle] : NULL;
	if (job == NULL || job->descriptor.of != number || job->call.is_running ||
	    job->descriptor.limit != 0U) {
		return NULL;
	}
#ifdef __riscv_zicbom
	if (*(const volatile uint16_t *)&call->count != 0U) {
		return NULL;
	}
	job->call.count = 0U;
#endif
	/* Whoever rings from here on has his call looked at when this one ends. */
	*bells(TRAPEZE_BELLS_BELLS_OFFSET) = rings;
	*bells(TRAPEZE_BELLS_INTERVAL_OFFSET) = 0U;
	job->call.number = channel->next++;
	job->call.is_running = true;
	context = port_quick_enter((TaskHandle_t)&job->task);
	if (context->quick == 0U) {
		job_enter(job, call->arguments);
		context->quick = 1U;
	} else {
		/* All but the arguments is as it was entered. */
		for (unsigned int i = 0; i < TRAPEZE_CALL_ARGUMENTS; i++) {
			context->frame.x[10U + TRAPEZE_RING_REGIONS - 1U + i] =
			    (csr_value_t)call->arguments[i];
		}
	}
	return context;
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
	conclude(job);
	if (is_next_there(channel)) {
		look_again(channel);
	}
	return port_quick_leave();
}

/* The handler of the doorbells. */
static void rung(void *arg)
{
	uint32_t rings = *bells(TRAPEZE_BELLS_BELLS_OFFSET);
	bool is_useful = false;

	(void)arg;
	*bells(TRAPEZE_BELLS_INTERVAL_OFFSET) = JOBS_RING_INTERVAL;
	/* This comes first, so that a call written meanwhile rings again. */
	*bells(TRAPEZE_BELLS_BELLS_OFFSET) = rings;
	hart_fence();
	for (; rings != 0U; rings &= rings - 1U) {
		while (begin_next((unsigned int)__builtin_ctz(rings))) {
			is_useful = true;
		}
	}
	/* There are as many useful rings as calls that end, and calls wait for all tasks above them. Others keep the
	 * interval. */
	if (is_useful) {
		*bells(TRAPEZE_BELLS_INTERVAL_OFFSET) = 0U;
	}
}

void calls_serve(void)
{
	for (unsigned int channel = 0; channel < TRAPEZE_CHANNELS; channel++) {
		struct job *job = NULL;

		taskENTER_CRITICAL();
		if (channels[channel].is_for_server) {
			channels[channel].is_for_server = false;
			job = take_next(channel, false);
		}
		taskEXIT_CRITICAL();
		if (job == NULL) {
			continue;
		}
#ifdef __riscv_zicbom
		/* With interrupts on: the program says how many lines. Only this task drops the job. */
		for_ranges(job, TRAPEZE_RANGE_FRESH, cache_forget);
#endif
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
	*bells(TRAPEZE_BELLS_ENABLE_OFFSET) = TRAPEZE_BELLS_ENABLE_BELLS_MASK;
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
	limited += descriptor->limit != 0U ? 1U : 0U;
	vTaskSuspend((TaskHandle_t)&job->task);
	taskENTER_CRITICAL();
	prepared[*handle] = job;
	if (channels[descriptor->of].jobs++ == 0U) {
		channels[descriptor->of].next = load(&page_of(descriptor->of)->first);
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
		look_again(job->descriptor.of);
	}
	if (--channels[job->descriptor.of].jobs == 0U) {
		/* Nobody looks at the channel any more. */
		for (unsigned int i = 0;
		     i < TRAPEZE_CHANNEL_CALLS && is_next_there(job->descriptor.of); i++) {
			refuse_next(job->descriptor.of);
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
