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
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "shown.h"
#include "trapeze_calls.h"
#include "trapeze_jobs.h"

#undef CHECK /* here a check that fails ends the program */
#define CHECK(condition)                                                                                              \
	do {                                                                                                          \
		if (!(condition)) {                                                                                   \
			printf("FAIL: %s:%d: %s: %s\n", __func__, __LINE__, #condition, strerror(errno));             \
			exit(1);                                                                                      \
		}                                                                                                     \
	} while (0)

/* Requests to called_job.c, and others. */
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

/** Leaves mappings to the last reference of the file, as an exit does. */
static void end(struct caller *caller)
{
	trapeze_calls_close(&caller->calls);
	CHECK(munmap(caller->buffer, BYTES) == 0);
	CHECK(munmap((void *)(uintptr_t)caller->job.regions[0].address, 4096) == 0);
	CHECK(close(caller->device) == 0);
}

/** Opens the device, and prepares the job. @return 0, or the error where there is no server, no channel, or a reset. */
static int try_begin(struct caller *caller, uint32_t limit_ms)
{
	int error;

	*caller = (struct caller){.device = trapeze_open()};
	if (caller->device < 0) {
		return errno;
	}
	if (trapeze_calls_open(&caller->calls, caller->device) != 0) {
		error = errno;
		CHECK(close(caller->device) == 0);
		return error;
	}
	CHECK(trapeze_job_load(&caller->job, caller->device, file) == 0);
	caller->buffer = trapeze_buffer(caller->device, BYTES);
	CHECK(caller->buffer != NULL);
	trapeze_job_pass(&caller->job, caller->buffer, BYTES, TRAPEZE_REGION_READ | TRAPEZE_REGION_WRITE);
	if (trapeze_prepare(&caller->prepared, &caller->calls, &caller->job, limit_ms) != 0) {
		error = errno;
		end(caller);
		return error;
	}
	return 0;
}

/** @return Whether there was a channel. */
static int begin(struct caller *caller, uint32_t limit_ms)
{
	const int error = try_begin(caller, limit_ms);

	errno = error;
	CHECK(error == 0 || error == EBUSY);
	return error == 0;
}

/** Begins, however often the server is reset meanwhile. */
static void begin_through_resets(struct caller *caller)
{
	for (int error = try_begin(caller, 0); error != 0; error = try_begin(caller, 0)) {
		errno = error;
		CHECK(error == ENOENT || error == ENODEV || error == EIO || error == EBUSY);
	}
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

/** Runs the job once, beside those that are prepared. */
static void runs(struct caller *caller)
{
	CHECK(trapeze_job_run(&caller->job, caller->device) == 0);
	CHECK(caller->job.status == TRAPEZE_JOB_DONE && caller->job.result == 0);
}

/** As many prepared jobs as there are take nothing of what jobs in flight may take, and a drop makes room at once. */
static void quota(void)
{
	struct trapeze_prepared prepared[TRAPEZE_PREPARED], more;
	struct caller caller;
	int buffers;

	alarm(GOOD_WHILE); /* no call waits for ever */
	CHECK(begin(&caller, 0));
	buffers = shown("buffers");
	prepared[0] = caller.prepared;
	for (int turn = 0; turn < 2; turn++) {
		uint64_t *const buffer = trapeze_buffer(caller.device, BYTES);
		struct trapeze_job own = caller.job;
		uint64_t number;
		struct trapeze_end end;

		own.count = 1;
		trapeze_job_pass(&own, buffer, BYTES, TRAPEZE_REGION_READ | TRAPEZE_REGION_WRITE);
		for (unsigned int i = 1; i < TRAPEZE_PREPARED; i++) {
			CHECK(trapeze_prepare(&prepared[i], &caller.calls, &own, 0) == 0);
		}
		CHECK(trapeze_prepare(&more, &caller.calls, &own, 0) == -1 && errno == ENOSPC);
		runs(&caller);
		for (unsigned int i = 0; i < TRAPEZE_RING_ENTRIES / 2; i++) {
			CHECK(trapeze_job_submit(&caller.job, caller.device, 0, -1, &number) == 0);
		}
		CHECK(trapeze_job_submit(&caller.job, caller.device, 0, -1, &number) == -1 && errno == EAGAIN);
		for (unsigned int i = 0; i < TRAPEZE_RING_ENTRIES / 2; i++) {
			CHECK(trapeze_job_fetch(caller.device, 0, &end) == 0 && end.status == TRAPEZE_JOB_DONE);
		}
		works(&caller, 5);
		CHECK(munmap(buffer, BYTES) == 0);
		CHECK(shown("buffers") == buffers + 1);
		for (unsigned int i = 1; i < TRAPEZE_PREPARED; i++) {
			CHECK(trapeze_prepared_drop(&prepared[i]) == 0);
		}
		CHECK(shown("buffers") == buffers);
	}
	alarm(0);
}

static void on_alarm(int signal)
{
	(void)signal;
}

/** Signals at any time: who prepares and drops hears of them, and loses no handle. */
static void signals(void)
{
	const struct sigaction action = {.sa_handler = on_alarm};
	struct itimerval times = {.it_interval = {.tv_usec = 300}, .it_value = {.tv_usec = 300}};
	int interrupted = 0;
	struct caller caller;

	CHECK(begin(&caller, 0));
	CHECK(sigaction(SIGALRM, &action, NULL) == 0);
	CHECK(setitimer(ITIMER_REAL, &times, NULL) == 0);
	for (int i = 0; i < 100; i++) {
		if (trapeze_prepared_drop(&caller.prepared) != 0) {
			CHECK(errno == EINTR);
			interrupted++;
		}
		while (trapeze_prepare(&caller.prepared, &caller.calls, &caller.job, 0) != 0) {
			CHECK(errno == EINTR);
			interrupted++;
		}
	}
	times = (struct itimerval){0};
	CHECK(setitimer(ITIMER_REAL, &times, NULL) == 0);
	CHECK(interrupted > 0);
	works(&caller, 3);
	end(&caller);
	all_are_gone(0);
}

/** Programs that are killed at any time, with calls, prepared jobs and others in flight. The next one does not wait for
 * their end, and has its channel and its memory for itself. */
static void dying(void)
{
	for (int turn = 0; turn < 24; turn++) {
		struct caller caller;
		const pid_t child = fork();

		CHECK(child >= 0);
		if (child == 0) {
			struct trapeze_prepared more;
			struct trapeze_job once;
			uint32_t number;
			uint64_t job;

			begin_soon(&caller);
			once = caller.job;
			once.count = 1; /* the buffer is the calls' */
			for (int i = 1; i < 8; i++) {
				CHECK(trapeze_prepare(&more, &caller.calls, &caller.job, 0) == 0);
			}
			for (uint32_t i = 0; i < TRAPEZE_CHANNEL_CALLS; i++) {
				CHECK(trapeze_call_begin(i % 2 != 0 ? &more : &caller.prepared, SPIN, 0, 0, &number) == 0);
			}
			for (;;) {
				trapeze_job_submit(&once, caller.device, 0, -1, &job);
			}
		}
		rest(turn * 3);
		CHECK(kill(child, SIGKILL) == 0);
		begin_soon(&caller);
		works(&caller, (uint64_t)turn);
		CHECK(trapeze_prepared_drop(&caller.prepared) == 0);
		for (size_t i = 0; i < BYTES / sizeof(*caller.buffer); i++) {
			CHECK(caller.buffer[i] == 0);
		}
		end(&caller);
		CHECK(waitpid(child, NULL, 0) == child);
	}
	all_are_gone(0);
}

static uint64_t mtime(void)
{
	uint64_t now;

	__asm__ volatile("rdtime %0" : "=r"(now));
	return now;
}

/** A number that the test gives, or 0. */
static uint64_t given(const char *name)
{
	const char *const text = getenv(name);

	return text != NULL ? strtoull(text, NULL, 0) : 0;
}

/** Whether the test resets the server once more: RESTARTS times, or until mtime is UNTIL. */
static int is_reset_again(uint64_t lost)
{
	return lost < given("RESTARTS") || mtime() < given("UNTIL");
}

/** The server is reset under calls that spin and that sleep, again and again. */
static void restarts(void)
{
	uint64_t lost = 0, calls = 0;

	for (; is_reset_again(lost); lost++) {
		struct caller caller;
		struct trapeze_answer answer;
		uint32_t number;
		int error = 0;

		begin_through_resets(&caller);
		for (uint64_t i = 0; error == 0 && is_reset_again(lost); i++, calls++) {
			if (trapeze_call_begin(&caller.prepared, ARGUMENTS, i, 1, &number) != 0 ||
			    trapeze_call_end(&caller.prepared, number, lost % 2 != 0 ? 0 : TRAPEZE_SPIN, 0, &answer) != 0) {
				error = errno;
			} else {
				CHECK(answer.status == TRAPEZE_JOB_DONE && answer.result == (int64_t)i + 3);
			}
		}
		errno = error;
		CHECK(error == EIO || !is_reset_again(lost));
		CHECK(trapeze_prepared_drop(&caller.prepared) == 0); /* gone with its server */
		end(&caller);
	}
	CHECK(calls > 0);
	all_are_gone(0);
}

/** What a program has begun and what has ended, of a job that counts. */
struct count {
	uint64_t begun, done;
	volatile uint64_t *runs;
};

static void done(struct count *count, int64_t result)
{
	CHECK(result == (int64_t)++count->done);
}

/** Calls, and a job of the ring beside them. @return whether the server still is the same. */
static int count_some(struct caller *caller, struct trapeze_job *job, struct count *calls, struct count *jobs)
{
	enum { TOGETHER = 4 };

	uint32_t numbers[TOGETHER];
	struct trapeze_answer answer;
	struct trapeze_end end;
	uint64_t number;
	const int is_in = trapeze_job_submit(job, caller->device, 0, -1, &number) == 0;
	int is_same = is_in;

	CHECK(is_in || errno == ENODEV);
	jobs->begun += (uint64_t)is_in;
	for (int i = 0; i < TOGETHER; i++, calls->begun++) {
		CHECK(trapeze_call_begin(&caller->prepared, 0, 0, 0, &numbers[i]) == 0);
	}
	for (int i = 0; i < TOGETHER; i++) {
		if (trapeze_call_end(&caller->prepared, numbers[i], i % 2 == 0 ? TRAPEZE_SPIN : 0, 0, &answer) != 0) {
			CHECK(errno == EIO);
			is_same = 0;
			break;
		}
		CHECK(answer.status == TRAPEZE_JOB_DONE);
		done(calls, answer.result);
	}
	if (is_in) {
		CHECK(trapeze_job_fetch(caller->device, number, &end) == 0);
		CHECK(end.status == TRAPEZE_JOB_DONE || end.status == TRAPEZE_JOB_LOST);
		if (end.status == TRAPEZE_JOB_DONE) {
			done(jobs, end.result);
		} else {
			is_same = 0;
		}
	}
	return is_same;
}

/** Resets: each call and each job is made at most once, and none of an old server's by the next one. */
static void once(void)
{
	for (uint64_t lost = 0; is_reset_again(lost); lost++) {
		struct caller caller, next;
		struct trapeze_job job;
		struct count counts[2] = {{0}};
		uint64_t runs[2];

		begin_through_resets(&caller);
		job = caller.job;
		job.count = 1;
		counts[0].runs = caller.buffer;
		counts[1].runs = trapeze_buffer(caller.device, BYTES);
		trapeze_job_pass(&job, (void *)counts[1].runs, BYTES, TRAPEZE_REGION_READ | TRAPEZE_REGION_WRITE);
		while (is_reset_again(lost) && count_some(&caller, &job, &counts[0], &counts[1])) {
		}
		for (int i = 0; i < 2; i++) {
			runs[i] = *counts[i].runs;
			CHECK(counts[i].done <= runs[i] && runs[i] <= counts[i].begun);
		}
		begin_through_resets(&next);
		rest(2);
		for (int i = 0; i < 2; i++) {
			CHECK(*counts[i].runs == runs[i]);
		}
		CHECK(munmap((void *)counts[1].runs, BYTES) == 0);
		end(&caller);
		end(&next);
	}
	all_are_gone(0);
}

int main(int count, char **words)
{
	static const struct {
		const char *name;
		void (*function)(void);
	} cases[] = {{"calls", calls}, {"channels", channels}, {"quota", quota}, {"signals", signals},
		     {"dying", dying}, {"restarts", restarts}, {"once", once}};

	file = count > 1 ? words[1] : "";
	for (unsigned int i = 0; count > 2 && i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (strcmp(words[2], cases[i].name) == 0) {
			cases[i].function();
			puts(failures == 0 ? "PASS" : "FAIL");
			return failures != 0;
		}
	}
	puts("callers: give a job and a case");
	return 2;
}
