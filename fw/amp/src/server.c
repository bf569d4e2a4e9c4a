/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* The server of jobs: the doorbell's handler takes descriptors out of the ring, a task checks them and makes tasks of them. */
#include <FreeRTOS.h>
#include <queue.h>
#include <task.h>

#include <trapeze/assert.h>
#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/jobs.h>

#include "doorbell.h"
#include "job.h"
#include "ring.h"

/* Size of the server's stack in words: 4 KiB. */
#define SERVER_STACK (4096U / sizeof(StackType_t))

/* Queue of descriptors from the handler to the server's task. */
static QueueHandle_t descriptors;

static void rung(void *arg)
{
	struct trapeze_ring_job job;
	BaseType_t woken = pdFALSE;

	(void)arg;
	/* This comes first, so that a job put in meanwhile rings again. */
	doorbell_clear();
	hart_fence();

	bool cancels = ring_has_cancels();

	/* The queue is full only if Linux has more jobs in flight than allowed. */
	while (xQueueIsQueueFullFromISR(descriptors) == pdFALSE && ring_take_job(&job)) {
		(void)xQueueSendFromISR(descriptors, &job, &woken);
	}
	if (cancels) {
		job_end_cancelled();
	}
	portYIELD_FROM_ISR(woken);
}

static void refuse(const struct trapeze_ring_job *job, uint32_t status, int64_t result)
{
	struct trapeze_ring_end end = {.id = job->id, .status = status, .result = result};

	ring_put_end(&end);
}

static void serve(void *parameters)
{
	struct trapeze_ring_job job;

	(void)parameters;
	doorbell_enable();
	ring_open();
	/* If there was a server before this one, Linux waits for jobs that are lost. */
	hart_fence();
	doorbell_ring();
	for (;;) {
		BaseType_t is_there = xQueueReceive(descriptors, &job, job_ticks_left());

		job_end_overdue();
		job_free_ended();
		if (is_there == pdFALSE) {
			continue;
		}

		int wrong = job_check(&job);

		if (!ring_version_right()) {
			refuse(&job, TRAPEZE_JOB_REFUSED, TRAPEZE_REFUSED_VERSION);
		} else if (wrong != JOB_RIGHT) {
			refuse(&job, TRAPEZE_JOB_REFUSED, wrong);
		} else if (!job_begin(&job)) {
			refuse(&job, TRAPEZE_JOB_NO_ROOM, 0);
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
	    xTaskCreate(serve, "jobs", SERVER_STACK, NULL, JOBS_SERVER_PRIORITY, NULL);

	TRAPEZE_ASSERT(made == pdPASS);
}
