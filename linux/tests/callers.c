/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that call prepared jobs: callers JOB CASE. Each case is a function below; PASS, or the line that fails.
 */
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "callers.h"

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

int main(int count, char **words)
{
	static const struct test_case cases[] = {{"calls", calls}, {"channels", channels}, {"quota", quota}, {"signals", signals}, {"dying", dying}};

	return run_case(cases, sizeof(cases) / sizeof(cases[0]), count, words);
}
