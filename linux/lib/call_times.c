/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trapeze_jobs.h"

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/** Makes room for one more call. */
static int grow(struct trapeze_times *times)
{
	const size_t room = times->room == 0 ? 64 : 2 * times->room;
	void *more;

	if (times->count < times->room) {
		return 0;
	}
	more = room > SIZE_MAX / sizeof(*times->calls) ? NULL : realloc(times->calls, room * sizeof(*times->calls));
	if (more == NULL) {
		errno = ENOMEM;
		return -1;
	}
	times->calls = more;
	times->room = room;
	return 0;
}

int trapeze_times_add(struct trapeze_times *times, uint64_t submit_ns, uint64_t wait_ns)
{
	if (grow(times) != 0) {
		return -1;
	}
	uint64_t *const stages = times->calls[times->count++];

	stages[TRAPEZE_STAGE_SUBMIT] = submit_ns;
	stages[TRAPEZE_STAGE_WAIT] = wait_ns;
	stages[TRAPEZE_STAGE_CALL] = submit_ns + wait_ns;
	return 0;
}

int trapeze_times_call(struct trapeze_times *times, const struct trapeze_job *job, int device, uint32_t limit_ms,
		       struct trapeze_end *end)
{
	uint64_t begun, submitted, number;

	if (grow(times) != 0) { /* before the call, so that none goes unrecorded */
		return -1;
	}
	begun = now_ns();
	if (trapeze_job_put(job, device, limit_ms, &number) != 0) {
		return -1;
	}
	submitted = now_ns();
	if (trapeze_job_await(device, number, end) != 0) {
		return -1;
	}
	return trapeze_times_add(times, submitted - begun, now_ns() - submitted);
}

static int compared(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

int trapeze_times_statistics(const struct trapeze_times *times, enum trapeze_stage stage,
			     struct trapeze_statistics *statistics)
{
	const size_t count = times->count;
	uint64_t *const sorted = count == 0 ? NULL : malloc(count * sizeof(*sorted));

	*statistics = (struct trapeze_statistics){.count = count};
	if (sorted == NULL) {
		errno = count == 0 ? ENODATA : ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		sorted[i] = times->calls[i][stage];
	}
	qsort(sorted, count, sizeof(*sorted), compared);
	/* Nearest rank: the smallest value that so many percent of all do not exceed. */
	statistics->min = sorted[0];
	statistics->p50 = sorted[(count - 1) / 2];
	statistics->p99 = sorted[count - count / 100 - 1];
	statistics->max = sorted[count - 1];
	free(sorted);
	return 0;
}

void trapeze_times_free(struct trapeze_times *times)
{
	free(times->calls);
	*times = (struct trapeze_times){0};
}
