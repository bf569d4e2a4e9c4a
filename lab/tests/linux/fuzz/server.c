/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* The server's code that reads what Linux and its programs write, on the host, for libFuzzer: ring, descriptors, channels and
 * calls. The input says what is written, at each fence and each load too, and which part of the server has its turn. Headers of the
 * RTOS and of the hardware are empty; what the code uses of them is here. test_fuzz.py builds it.
 */
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <trapeze/isa.h>

static _Alignas(4096) uint8_t shared[0x10000], bells[4096], bell_pages[8 * 4096], clint[0x10000];
static const uint8_t *input, *input_end;

static unsigned int draw(void)
{
	return input < input_end ? *input++ : 0U;
}

static unsigned int draw_2(void)
{
	return draw() | draw() << 8;
}

/* Linux writes a word, or does nothing. */
static int change(void)
{
	if (draw() % 4U == 3U) {
		const uint32_t value = draw_2() % 8U == 0U ? ~draw_2() : draw_2();

		memcpy(&shared[draw_2() % sizeof(shared) & ~3U], &value, sizeof(value));
	}
	return 0;
}

/* The hart and its memory. Each instruction in assembly is a fence, or one of the cache. */
#define __asm__
#define volatile(...) (void)change()
#define hart_fence() ((void)change())
#define __atomic_load_n(at, order) (change(), *(at))
#define TRAPEZE_RING_BASE ((uintptr_t)shared)
#define TRAPEZE_RING_SIZE sizeof(shared)
#define TRAPEZE_BELLS_BASE ((uintptr_t)bells)
#define TRAPEZE_BELLS_LINE 11
#define TRAPEZE_BELL_PAGES_BASE ((uintptr_t)bell_pages)
#define TRAPEZE_CLINT_BASE ((uintptr_t)clint)
#define TRAPEZE_DRAM_BASE 0x80000000ULL
#define TRAPEZE_DRAM_SIZE 0x4000000ULL
#define IRQ_PLATFORM(line) (line)
#define irq_software_set(value) ((void)(value))
#define irq_connect(irq, function, argument) ((void)(function), (argument))
#define irq_enable(irq) ((void)(irq))
#define __riscv_zicbom 1
#define __riscv_xlen 64

/* The RTOS. */
#define JOBS_STACK 64U
#define JOBS_PRIORITY 1U
#define JOBS_RING_INTERVAL 2000U
#define taskENTER_CRITICAL() ((void)0)
#define taskEXIT_CRITICAL() ((void)0)
#define vTaskSuspend(task) ((void)(task))
#define xTaskResumeFromISR(task) ((task) != NULL)
#define portYIELD_FROM_ISR(wanted) ((void)(wanted))
typedef uintptr_t csr_value_t;
typedef uint32_t StackType_t, TickType_t;
struct trap_frame {
	uintptr_t x[32], mepc, mtval;
};
struct port_rows {
	int unused;
};
struct port_context {
	struct trap_frame frame;
	const struct port_rows *rows;
	unsigned int quick;
};
typedef struct {
	struct port_context context;
} StaticTask_t;
typedef StaticTask_t *TaskHandle_t;
static TaskHandle_t quick;
#define port_context_of(task) (&(task)->context)
#define port_enter_user_again(to, pc, sp, ra, row) ((void)((to)->frame.mepc = (pc) ^ (sp) ^ (ra)), (to)->rows = (row))
#define port_borrow(task, priority) ((task) != NULL && draw() % 2U != 0U)
#define port_borrow_settle(task) ((void)(quick = quick == (task) ? NULL : quick))
#define port_borrow_end(task) (quick == (task) ? (quick = NULL, true) : draw() % 2U != 0U)
#define port_leave_user(context, function, argument) ((context)->rows = NULL, (function)(argument))
#define port_quick_can() (quick == NULL)
#define port_quick_enter(task) (quick = (task), quick->context.quick = 1U, &quick->context)
#define port_user_task() quick
#define port_quick_leave() ((struct port_context *)(quick = NULL))
struct port_context *port_quick_interrupt(void);
struct port_context *port_quick_end(struct port_context *context, csr_value_t a0, csr_value_t a1);

#include "fw/amp/src/calls.c"
#include "fw/amp/src/channel.c"
#include "fw/amp/src/check.c"
#include "fw/amp/src/ring.c"

const char job_return[1];

struct job *job_make(const struct trapeze_ring_job *descriptor)
{
	struct job *job = draw() % 16U != 0U ? calloc(1, sizeof(*job)) : NULL;

	if (job != NULL) {
		job->descriptor = *descriptor;
	}
	return job;
}

void job_destroy(struct job *job)
{
	quick = quick == &job->task ? NULL : quick;
	free(job);
}

void job_time_count(struct job *job)
{
	job->deadline = 1;
}

void job_time_end(struct job *job)
{
	job->deadline = JOB_NEVER;
}

void server_wake_from_handler(void)
{
}

/* What the cache of the job's hart is told lies in the job's memory. */
static void lies_in_memory(const struct trapeze_ring_region *part)
{
	assert(part->bytes != 0U && part->address >= TRAPEZE_DRAM_BASE + TRAPEZE_FIRMWARE_BYTES &&
	       part->address + part->bytes <= TRAPEZE_DRAM_BASE + TRAPEZE_DRAM_SIZE);
}

static void serve(void)
{
	struct trapeze_ring_job job;
	uint32_t handle;

	(void)ring_has_cancels();
	for (unsigned int i = 0; i < TRAPEZE_RING_ENTRIES && ring_take_job(&job); i++) {
		struct trapeze_ring_end end = {.id = job.id};

		if (!ring_version_right() || job_check(&job) != JOB_RIGHT) {
			end.status = TRAPEZE_JOB_REFUSED;
		} else if (job.what == TRAPEZE_RING_DROP) {
			(void)calls_drop(job.of);
		} else {
			assert(job.count >= 1U && job.count <= TRAPEZE_RING_REGIONS);
			for (unsigned int region = 0; region < job.count; region++) {
				lies_in_memory(&job.regions[region]);
			}
			if (job.what == TRAPEZE_RING_PREPARE) {
				(void)calls_prepare(&job, &handle);
			}
		}
		ring_put_end(&end);
	}
}

/* An entry that the server may like: the input would have to find each of its words. */
static void put_entry(void)
{
	struct trapeze_ring_job job = {.id = draw(), .what = draw() % 3U, .of = draw() % 33U};

	job.count = job.what == TRAPEZE_RING_DROP ? 0U : 1U + draw() % 5U;
	job.limit = job.what == TRAPEZE_RING_PREPARE ? draw() % 2U : 0U;
	for (unsigned int i = 0; i < job.count; i++) {
		job.regions[i] = (struct trapeze_ring_region){
		    TRAPEZE_DRAM_BASE + TRAPEZE_FIRMWARE_BYTES + i * 0x10000U, draw() * 64U,
		    i == 0 ? TRAPEZE_REGION_READ | TRAPEZE_REGION_EXECUTE : draw() % 4U};
	}
	ring->client = TRAPEZE_RING_VERSION;
	ring->jobs[jobs_out % TRAPEZE_RING_ENTRIES] = job;
	ring->jobs_in = jobs_out + 1U;
}

static void put_call(unsigned int number)
{
	struct trapeze_call *call = &channel_page(number)->calls[channels[number].next % TRAPEZE_CHANNEL_CALLS];

	for (unsigned int i = 0; i < TRAPEZE_CALL_RANGES; i++) {
		call->ranges[i].region = (uint8_t)draw();
		call->ranges[i].what = (uint8_t)draw();
		call->ranges[i].first = (uint16_t)draw_2();
		call->ranges[i].last = (uint16_t)draw_2();
	}
	call->count = (uint16_t)(draw() % 6U);
	call->handle = (uint16_t)(draw() % 33U);
	call->number = channels[number].next;
	*(uint32_t *)bells = 1U << number;
}

static void end_one(struct job *job)
{
	if (job == NULL || !job->call.is_running) {
		return;
	}
	assert(job->call.parts <= TRAPEZE_CALL_RANGES);
	ranges_each(job, TRAPEZE_RANGE_FRESH | TRAPEZE_RANGE_WANTED, lies_in_memory);
	if (quick == &job->task && quick->context.quick != 0U) {
		assert(!job->call.ends_long);
		(void)port_quick_end(&quick->context, draw(), 0);
	} else {
		job->end.status = draw() % 6U;
		calls_ended(job);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input = data;
	input_end = data + size;
	memset(shared, 0, sizeof(shared));
	ring_make();
	ring_open();
	while (input < input_end) {
		switch (draw() % 8U) {
		case 0:
			put_entry();
			serve();
			break;
		case 1:
			put_call(draw() % TRAPEZE_CHANNELS);
			break;
		case 2:
			serve();
			break;
		case 3:
			*(uint32_t *)bells = draw();
			rung(NULL);
			break;
		case 4:
			(void)port_quick_interrupt();
			break;
		case 5:
			calls_serve();
			break;
		case 6:
			end_one(prepared[draw() % TRAPEZE_PREPARED]);
			break;
		default:
			(void)change();
		}
	}
	(void)calls_drop(TRAPEZE_RING_ALL);
	assert(!calls_have_limits());
	memset(channels, 0, sizeof(channels));
	return 0;
}
