/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* The server of jobs: the doorbell's handler takes descriptors out of the ring, a task checks them and makes tasks of them.
 * Calls of prepared jobs need the task only for what takes time (calls.c).
 */
#include <FreeRTOS.h>
#include <queue.h>
#include <task.h>

#include <trapeze/assert.h>
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/jobs.h>

#include "calls.h"
#include "doorbell.h"
#include "job.h"
#include "ring.h"
#include "server.h"

/* Size of the server's stack in words: 4 KiB. */
#define SERVER_STACK (4096U / sizeof(StackType_t))

/* Queue of descriptors from the handler to the server's task. */
static QueueHandle_t descriptors;

static TaskHandle_t server;

void server_wake_from_handler(void)
{
	BaseType_t woken = pdFALSE;

	vTaskNotifyGiveFromISR(server, &woken);
	portYIELD_FROM_ISR(woken);
}

static void rung(void *arg)
{
	struct trapeze_ring_job job;
	(void)arg;
	/* This comes first, so that a job put in meanwhile rings again. */
	doorbell_clear();
	hart_fence();

	bool cancels = ring_has_cancels();
	bool is_useful = false;

	/* The queue is full only if Linux has more jobs in flight than allowed. */
	while (xQueueIsQueueFullFromISR(descriptors) == pdFALSE && ring_take_job(&job)) {
		(void)xQueueSendFromISR(descriptors, &job, NULL);
		is_useful = true;
	}
	if (cancels) {
		job_end_cancelled();
	}
	if (is_useful) {
		server_wake_from_handler();
	}
}

static void refuse(const struct trapeze_ring_job *job, uint32_t status, int64_t result)
{
	struct trapeze_ring_end end = {.id = job->id, .status = status, .result = result};

	ring_put_end(&end);
}

static void serve_one(const struct trapeze_ring_job *job)
{
	struct trapeze_ring_end end = {.id = job->id, .status = TRAPEZE_JOB_DONE};
	uint32_t handle = 0U;
	int wrong = job_check(job);

	if (!ring_version_right()) {
		refuse(job, TRAPEZE_JOB_REFUSED, TRAPEZE_REFUSED_VERSION);
	} else if (wrong != JOB_RIGHT) {
		refuse(job, TRAPEZE_JOB_REFUSED, wrong);
	} else if (job->what == TRAPEZE_RING_DROP) {
		if (calls_drop(job->of)) {
			ring_put_end(&end);
		} else {
			refuse(job, TRAPEZE_JOB_REFUSED, TRAPEZE_REFUSED_REST);
		}
	} else if (job->what == TRAPEZE_RING_PREPARE) {
		if (calls_prepare(job, &handle)) {
			end.result = handle;
			ring_put_end(&end);
		} else {
			refuse(job, TRAPEZE_JOB_NO_ROOM, 0);
		}
	} else {
		struct job *made = job_make(job);

		if (made != NULL) {
			job_begin(made);
		} else {
			refuse(job, TRAPEZE_JOB_NO_ROOM, 0);
		}
	}
}

static void serve(void *parameters)
{
	struct trapeze_ring_job job;

	(void)parameters;
	calls_start();
	doorbell_enable();
	ring_open();
	/* If there was a server before this one, Linux waits for jobs that are lost. */
	hart_fence();
	doorbell_ring();
	for (;;) {
		(void)ulTaskNotifyTake(pdTRUE, job_ticks_left());
		calls_serve();
		job_end_overdue();
		job_free_ended();
		while (xQueueReceive(descriptors, &job, 0) != pdFALSE) {
			serve_one(&job);
			job_end_overdue();
			job_free_ended();
		}
	}
}

void jobs_start(void)
{
	ring_make();
	descriptors = xQueueCreate(TRAPEZE_RING_ENTRIES, sizeof(struct trapeze_ring_job));
	TRAPEZE_ASSERT(descriptors != NULL);
	(void)irq_connect(DOORBELL_IRQ, rung, NULL);

	BaseType_t made =
	    xTaskCreate(serve, "jobs", SERVER_STACK, NULL, JOBS_SERVER_PRIORITY, &server);

	TRAPEZE_ASSERT(made == pdPASS);
}
