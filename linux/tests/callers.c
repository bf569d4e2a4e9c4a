/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that call prepared jobs: callers JOB CASE. Each case is a function below; PASS, or the line that fails.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "trapeze_calls.h"
#include "trapeze_jobs.h"

#define CHECK(condition)                                                                                              \
	do {                                                                                                          \
		if (!(condition)) {                                                                                   \
			printf("FAIL: %s:%d: %s: %s\n", __func__, __LINE__, #condition, strerror(errno));             \
			exit(1);                                                                                      \
		}                                                                                                     \
	} while (0)

enum { ARGUMENTS, SUMS, FAULT, SPIN, WORD, BYTES = 8192, GOOD_WHILE = 200 };

static const char *file;

struct caller {
	int device;
	uint64_t *buffer;
	struct trapeze_job job;
	struct trapeze_calls calls;
	struct trapeze_prepared prepared;
};

static void rest(long ms)
{
	const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&time, NULL);
}

/** Opens the device, and prepares the job. @return whether there was a channel. */
static int begin(struct caller *caller, uint32_t limit_ms)
{
	*caller = (struct caller){.device = trapeze_open()};
	CHECK(caller->device >= 0);
	if (trapeze_calls_open(&caller->calls, caller->device) != 0) {
		CHECK(errno == EBUSY);
		CHECK(close(caller->device) == 0);
		return 0;
	}
	CHECK(trapeze_job_load(&caller->job, caller->device, file) == 0);
	caller->buffer = trapeze_buffer(caller->device, BYTES);
	CHECK(caller->buffer != NULL);
	trapeze_job_pass(&caller->job, caller->buffer, BYTES, TRAPEZE_REGION_READ | TRAPEZE_REGION_WRITE);
	CHECK(trapeze_prepare(&caller->prepared, &caller->calls, &caller->job, limit_ms) == 0);
	return 1;
}

/** As begin(), when a channel is free again: the driver frees it a moment after the close. */
static void begin_soon(struct caller *caller)
{
	for (int i = 0; !begin(caller, 0); i++) {
		CHECK(i < GOOD_WHILE);
		rest(1);
	}
}

static void works(struct caller *caller, uint64_t seed)
{
	struct trapeze_answer answer;

	CHECK(trapeze_call(&caller->prepared, ARGUMENTS, seed, 2, &answer) == 0);
	CHECK(answer.status == TRAPEZE_JOB_DONE && answer.result == (int64_t)seed + 6);
}

/** Leaves mappings to the last reference of the file, as an exit does. */
static void end(struct caller *caller)
{
	trapeze_calls_close(&caller->calls);
	CHECK(munmap(caller->buffer, BYTES) == 0);
	CHECK(munmap((void *)(uintptr_t)caller->job.regions[0].address, 4096) == 0);
	CHECK(close(caller->device) == 0);
}

/* ---------------------------------------------------------------- cases */

static void calls(void)
{
	struct caller caller;
	struct trapeze_answer answer;
	uint32_t numbers[TRAPEZE_CHANNEL_CALLS], more;

	CHECK(begin(&caller, 0));
	works(&caller, 5);
	/* Parts of the buffer, from both sides, again and again. */
	for (uint64_t turn = 1; turn < 20; turn++) {
		const uint64_t first = turn * 40, last = first + 100;
		uint64_t sum = 0;

		for (uint64_t i = first - 1; i < last; i++) {
			caller.buffer[i] = turn + i;
			sum += turn + i;
		}
		trapeze_wrote(&caller.prepared, 1, (first - 1) * 8, (last - first + 1) * 8);
		trapeze_wants(&caller.prepared, 1, first * 8, (last - first) * 8);
		CHECK(trapeze_call(&caller.prepared, SUMS, first, last, &answer) == 0);
		CHECK(answer.status == TRAPEZE_JOB_DONE && answer.result == (int64_t)sum);
		CHECK(caller.buffer[last - 1] == sum);
	}
	/* Words that the job only reads: they stay in its hart's cache. */
	for (uint64_t turn = 1; turn < 5; turn++) {
		caller.buffer[0] = turn;
		trapeze_wrote(&caller.prepared, 1, 0, 8);
		CHECK(trapeze_call(&caller.prepared, WORD, 0, 0, &answer) == 0);
		CHECK(answer.status == TRAPEZE_JOB_DONE && answer.result == (int64_t)turn);
	}
	CHECK(trapeze_call(&caller.prepared, FAULT, 64, 0, &answer) == 0);
	CHECK(answer.status == TRAPEZE_JOB_FAULT && answer.address == 64 && answer.place == TRAPEZE_PLACE_NONE);
	/* As many as there are, and one too many. */
	for (uint32_t i = 0; i < TRAPEZE_CHANNEL_CALLS; i++) {
		CHECK(trapeze_call_begin(&caller.prepared, ARGUMENTS, i, 0, &numbers[i]) == 0);
	}
	CHECK(trapeze_call_end(&caller.prepared, numbers[TRAPEZE_CHANNEL_CALLS - 1], 0, 0, &answer) == 0);
	for (uint32_t i = 0; i < TRAPEZE_CHANNEL_CALLS; i++) {
		CHECK(trapeze_call_end(&caller.prepared, numbers[i], 10, 0, &answer) == 0);
		CHECK(answer.status == TRAPEZE_JOB_DONE && answer.result == i);
	}
	/* Dropped in mid-call, and prepared anew on the same channel. */
	CHECK(trapeze_call_begin(&caller.prepared, SPIN, 0, 0, &numbers[0]) == 0);
	CHECK(trapeze_call_end(&caller.prepared, numbers[0], 0, 20, &answer) == -1 && errno == ETIMEDOUT);
	for (uint32_t i = 1; i < TRAPEZE_CHANNEL_CALLS; i++) {
		CHECK(trapeze_call_begin(&caller.prepared, ARGUMENTS, i, 0, &numbers[i]) == 0);
	}
	CHECK(trapeze_call_begin(&caller.prepared, ARGUMENTS, 0, 0, &more) == -1 && errno == EBUSY);
	CHECK(trapeze_prepared_drop(&caller.prepared) == 0);
	CHECK(trapeze_prepared_drop(&caller.prepared) == -1 && errno == ENOENT);
	CHECK(trapeze_call_end(&caller.prepared, numbers[0], 0, 0, &answer) == 0);
	CHECK(answer.status == TRAPEZE_JOB_CANCELLED);
	for (uint32_t i = 1; i < TRAPEZE_CHANNEL_CALLS; i++) {
		CHECK(trapeze_call_end(&caller.prepared, numbers[i], 0, 0, &answer) == 0);
		CHECK(answer.status == TRAPEZE_JOB_REFUSED);
	}
	CHECK(trapeze_prepare(&caller.prepared, &caller.calls, &caller.job, 10) == 0);
	works(&caller, 6);
	CHECK(trapeze_call(&caller.prepared, SPIN, 0, 0, &answer) == 0);
	CHECK(answer.status == TRAPEZE_JOB_TIME_LIMIT);
	/* The job keeps its buffer. */
	CHECK(munmap(caller.buffer, BYTES) == 0);
	CHECK(trapeze_call(&caller.prepared, SUMS, 1, 1024, &answer) == 0);
	CHECK(answer.status == TRAPEZE_JOB_DONE);
}

/** Each process has a channel; the ninth finds none, until one of them is gone, however it goes. */
static void channels(void)
{
	struct caller callers[TRAPEZE_CHANNELS], more;
	uint32_t number;

	for (uint32_t i = 0; i < TRAPEZE_CHANNELS; i++) {
		CHECK(begin(&callers[i], 0));
	}
	CHECK(!begin(&more, 0));
	for (uint32_t i = 0; i < TRAPEZE_CHANNELS; i++) {
		works(&callers[i], i);
	}
	/* Closed while a call runs. */
	CHECK(trapeze_call_begin(&callers[3].prepared, SPIN, 0, 0, &number) == 0);
	end(&callers[3]);
	begin_soon(&callers[3]);
	works(&callers[3], 9);
	works(&callers[4], 9);
	end(&callers[3]);
	for (int i = 0; i < 4; i++) {
		int status;
		const pid_t child = fork();

		CHECK(child >= 0);
		if (child == 0) {
			struct trapeze_answer answer;

			begin_soon(&more);
			works(&more, 1);
			CHECK(trapeze_call(&more.prepared, SPIN, 0, 0, &answer) == 0);
			exit(1);
		}
		rest(20);
		works(&callers[4], 20);
		CHECK(kill(child, SIGKILL) == 0);
		CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
		works(&callers[5], 21);
	}
	begin_soon(&more);
	works(&more, 7);
}

/** The server is reset under calls that spin and that sleep, again and again. */
static void restarts(void)
{
	int lost = 0, calls = 0;
	const char *const times = getenv("RESTARTS");
	const int wanted = times != NULL ? atoi(times) : 1;

	while (lost < wanted) {
		struct caller caller;
		struct trapeze_answer answer;
		uint32_t number;
		int error = 0;

		if (access("/dev/trapeze", R_OK) != 0 || (caller.device = trapeze_open()) < 0) {
			continue;
		}
		close(caller.device);
		begin_soon(&caller);
		for (uint64_t i = 0; error == 0; i++, calls++) {
			if (trapeze_call_begin(&caller.prepared, ARGUMENTS, i, 1, &number) != 0 ||
			    trapeze_call_end(&caller.prepared, number, lost % 2 != 0 ? 0 : TRAPEZE_SPIN, 0, &answer) != 0) {
				error = errno;
			} else {
				CHECK(answer.status == TRAPEZE_JOB_DONE && answer.result == (int64_t)i + 3);
			}
		}
		CHECK(error == EIO);
		lost++;
		end(&caller);
	}
	CHECK(calls > 0);
}

int main(int count, char **words)
{
	static const struct {
		const char *name;
		void (*function)(void);
	} cases[] = {{"calls", calls}, {"channels", channels}, {"restarts", restarts}};

	file = count > 1 ? words[1] : "";
	for (unsigned int i = 0; count > 2 && i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (strcmp(words[2], cases[i].name) == 0) {
			cases[i].function();
			puts("PASS");
			return 0;
		}
	}
	puts("callers: give a job and a case");
	return 2;
}
