/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief restarts JOB TIME: eight processes run jobs by every call until mtime is TIME, while the test resets the hart
 * that runs them again and again. JOB is calls_job.c.
 *
 * Each server does some of the jobs. A job that is in flight at a reset is lost. A call before the server is back
 * reports that there is none. Each job that is done has the right result. Prints a line for each check that fails, or
 * PASS and the numbers of jobs.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "check.h"
#include "shown.h"
#include "trapeze_jobs.h"

enum {
	PROCESSES = 8,
	TOGETHER = 4, /* jobs of one process */
	NUMBERS = 500,
	PAGE = 4096,
	LIVES = 100, /* generations that are counted */
};

/** Counters of all processes, in memory that they share. */
struct score {
	uint64_t done;
	uint64_t lost;	 /* jobs in flight at a reset */
	uint64_t absent; /* jobs that found no server */
	uint64_t wrong;
	uint64_t done_of[LIVES]; /* jobs done, by generation of the server */
};

static struct score *score;
static int device;
static struct trapeze_job jobs[TOGETHER];
static uint64_t *in[TOGETHER], *out[TOGETHER];

static uint64_t mtime(void)
{
	uint64_t now;

	__asm__ volatile("rdtime %0" : "=r"(now));
	return now;
}

static void add(uint64_t *to)
{
	__atomic_fetch_add(to, 1, __ATOMIC_RELAXED);
}

static void wrong(const char *what, uint64_t value)
{
	printf("%d: %s: %" PRIu64 "\n", getpid(), what, value);
	add(&score->wrong);
}

/** Checks the error of a call that submits a job. */
static void failed(const char *what)
{
	switch (errno) {
	case EIO:
		add(&score->lost);
		return;
	case ENODEV:
		add(&score->absent);
		usleep(1000);
		return;
	default:
		wrong(what, (uint64_t)errno);
		_exit(1);
	}
}

static void begin(const char *file)
{
	struct trapeze_job code = {0};

	for (;;) {
		device = trapeze_open();
		if (device >= 0) {
			break;
		}
		failed("open");
	}
	if (trapeze_job_load(&code, device, file) != 0) {
		wrong("load", (uint64_t)errno);
		_exit(1);
	}
	for (unsigned int i = 0; i < TOGETHER; i++) {
		in[i] = trapeze_buffer(device, PAGE);
		out[i] = trapeze_buffer(device, PAGE);
		jobs[i] = code;
		trapeze_job_pass(&jobs[i], in[i], PAGE, TRAPEZE_REGION_READ);
		trapeze_job_pass(&jobs[i], out[i], PAGE, TRAPEZE_REGION_WRITE);
	}
}

static void fill(unsigned int slot, uint64_t seed)
{
	in[slot][0] = ASK_TRIPLE;
	in[slot][1] = NUMBERS;
	for (unsigned int i = 0; i < NUMBERS; i++) {
		in[slot][2 + i] = seed * NUMBERS + i;
		out[slot][i] = 0;
	}
}

static void check(unsigned int slot, uint32_t status)
{
	if (status == TRAPEZE_JOB_LOST) {
		add(&score->lost);
		return;
	}
	if (status != TRAPEZE_JOB_DONE) {
		wrong("status", status);
		return;
	}
	for (unsigned int i = 0; i < NUMBERS; i++) {
		if (out[slot][i] != 3 * in[slot][2 + i]) {
			wrong("number", i);
			return;
		}
	}
	add(&score->done);

	const int generation = shown("generation");

	if (generation < LIVES) {
		add(&score->done_of[generation]);
	}
}

static void waits_for_one(uint64_t seed)
{
	fill(0, seed);
	if (trapeze_job_run(&jobs[0], device) == 0) {
		check(0, jobs[0].status);
	} else {
		failed("run");
	}
}

static void several_in_flight(uint64_t seed)
{
	uint64_t numbers[TOGETHER] = {0};
	struct trapeze_end end;

	for (unsigned int i = 0; i < TOGETHER; i++) {
		fill(i, seed + i);
		while (trapeze_job_submit(&jobs[i], device, 0, -1, &numbers[i]) != 0) {
			if (errno == EAGAIN) {
				usleep(1000);
			} else {
				numbers[i] = 0;
				failed("submit");
				break;
			}
		}
	}
	for (unsigned int i = 0; i < TOGETHER; i++) {
		if (numbers[i] == 0) {
			continue;
		}
		if (trapeze_job_fetch(device, numbers[i], &end) == 0) {
			check(i, end.status);
		} else {
			wrong("fetch", (uint64_t)errno);
		}
	}
}

int main(int argc, char *argv[])
{
	const uint64_t until = argc == 3 ? strtoull(argv[2], NULL, 0) : 0;

	score = mmap(NULL, sizeof(*score), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	setvbuf(stdout, NULL, _IONBF, 0);
	printf("from %" PRIu64 " on\n", mtime());
	for (unsigned int i = 0; i < PROCESSES; i++) {
		if (fork() != 0) {
			continue;
		}
		begin(argv[1]);
		for (uint64_t seed = i; mtime() < until; seed += PROCESSES) {
			if (seed % 3 == 0) {
				waits_for_one(seed);
			} else {
				several_in_flight(seed);
			}
		}
		_exit(0);
	}
	for (unsigned int i = 0; i < PROCESSES; i++) {
		int status = -1;

		wait(&status);
		CHECK_EQUAL(status, 0);
	}
	all_are_gone(0);
	CHECK_EQUAL(score->wrong, 0);

	const int last = shown("generation");

	for (int i = 1; i <= last && i < LIVES; i++) {
		CHECK(score->done_of[i] != 0);
	}
	printf("%s: generation %d: %" PRIu64 " done, %" PRIu64 " lost, %" PRIu64 " without a server\n",
	       failures == 0 ? "PASS" : "FAIL", last, score->done, score->lost, score->absent);
	return failures != 0;
}
