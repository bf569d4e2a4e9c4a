/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that call prepared jobs while the test resets the server: resets JOB CASE. Each case is a function below; PASS, or
 * the line that fails.
 */
#include "callers.h"

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
	static const struct test_case cases[] = {{"restarts", restarts}, {"once", once}};

	return run_case(cases, sizeof(cases) / sizeof(cases[0]), count, words);
}
