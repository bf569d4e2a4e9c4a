/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief lied_to JOB: six processes run jobs by every call with a server that lies, until it is honest. JOB is
 * calls_job.c, which never runs.
 *
 * Jobs are run, submitted, prepared and dropped. Whatever the server writes, each call returns, with an end or one of its errors, and each submitted job has one end.
 * Prints a line for each check that fails, or PASS and the number of ends.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "dice.h"
#include "shown.h"
#include "trapeze_calls.h"
#include "trapeze_jobs.h"

enum {
	PROCESSES = 6,
	TOGETHER = 8, /* jobs of one process */
	HONEST = 50,  /* right results in a row after which the server counts as honest */
	KILLED = 20,
	PAGE = 4096,
	RIGHT = 0x600d, /* result of an honest server: lab/tests/linux/liar/liar.c */
};

struct score {
	uint64_t ends;
	uint64_t errors;
	uint64_t wrong;
};

static struct score *score;
static int device;
static struct trapeze_job job;
static struct trapeze_calls calls;
static bool has_channel;

static void wrong(const char *what, uint64_t value)
{
	printf("%d: %s: %" PRIu64 "\n", getpid(), what, value);
	add(&score->wrong);
}

/** Checks the error of a call that submits a job. */
static void failed(const char *what)
{
	if (errno == EIO || errno == ENODEV || errno == EAGAIN) {
		add(&score->errors);
		usleep(1000);
	} else {
		wrong(what, (uint64_t)errno);
	}
}

static void begin(const char *file)
{
	void *buffer;

	memset(&job, 0, sizeof(job));
	while ((device = trapeze_open()) < 0) {
		failed("open");
	}
	buffer = trapeze_buffer(device, PAGE);
	if (buffer == NULL || trapeze_job_load(&job, device, file) != 0) {
		wrong("load", (uint64_t)errno);
		_exit(1);
	}
	trapeze_job_pass(&job, buffer, PAGE, TRAPEZE_REGION_READ | TRAPEZE_REGION_WRITE);
	has_channel = trapeze_calls_open(&calls, device) == 0;
	if (!has_channel && errno != EBUSY) { /* those of the killed are busy until their jobs have ended */
		wrong("channel", (uint64_t)errno);
	}
}

/** Closes the device with jobs in flight. */
static void end(void)
{
	if (has_channel) {
		trapeze_calls_close(&calls);
	}
	for (unsigned int i = 0; i < 2; i++) {
		munmap((void *)(uintptr_t)job.regions[i].address, trapeze_buffer_bytes(job.regions[i].bytes));
	}
	close(device);
}

static bool run_one(void)
{
	if (trapeze_job_run(&job, device) != 0) {
		failed("run");
		return false;
	}
	add(&score->ends);
	return job.status == TRAPEZE_JOB_DONE && job.result == RIGHT;
}

/** Submits some jobs, and fetches one end for each, or closes the file. */
static void submit_some(const char *file)
{
	uint64_t numbers[TOGETHER];
	unsigned int count = 0;
	struct trapeze_end said;
	char text[200];

	for (unsigned int i = 0; i < TOGETHER; i++) {
		if (trapeze_job_submit(&job, device, (uint32_t)dice(3), -1, &numbers[count]) == 0) {
			count++;
		} else {
			failed("submit");
		}
	}
	for (unsigned int i = 0; i < count; i++) {
		if (dice(3) == 0 && trapeze_job_cancel(device, numbers[i]) != 0 && errno != ENOENT) {
			wrong("cancel", (uint64_t)errno);
		}
	}
	if (dice(4) == 0) {
		end();
		begin(file);
		return;
	}
	for (unsigned int i = 0; i < count; i++) {
		if (trapeze_job_fetch(device, numbers[i], &said) != 0) {
			wrong("fetch", (uint64_t)errno);
			continue;
		}
		add(&score->ends);
		trapeze_end_text(&said, text, sizeof(text));
	}
	if (trapeze_job_fetch(device, 0, &said) == 0 || errno != ENOENT) {
		wrong("one end too many", said.job);
	}
}

/** Has the job prepared and drops it, or leaves that to the close. */
static void prepare_one(void)
{
	struct trapeze_prepared prepared;

	if (!has_channel) {
		return;
	}
	if (trapeze_prepare(&prepared, &calls, &job, (uint32_t)dice(3)) != 0) {
		if (errno == ENOSPC || errno == EINVAL || errno == ETIMEDOUT) {
			add(&score->errors);
		} else {
			failed("prepare");
		}
		return;
	}
	if (dice(4) != 0 && trapeze_prepared_drop(&prepared) != 0 && errno != ETIMEDOUT) {
		wrong("drop", (uint64_t)errno);
	}
}

static pid_t born(const char *file, uint64_t seed)
{
	const pid_t child = fork();
	unsigned int honest = 0;

	if (child != 0) {
		return child;
	}
	state = seed * 0x9e3779b97f4a7c15 + 1;
	begin(file);
	while (honest < HONEST) {
		if (honest != 0 || dice(2) == 0) {
			honest = run_one() ? honest + 1 : 0;
		} else if (dice(3) == 0) {
			prepare_one();
		} else {
			submit_some(file);
		}
	}
	_exit(0);
}

int main(int argc, char *argv[])
{
	const char *const file = argc > 1 ? argv[1] : "";
	pid_t children[PROCESSES];
	uint64_t seed = 1;

	score = mmap(NULL, sizeof(*score), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	setvbuf(stdout, NULL, _IONBF, 0);
	state = 1;
	for (unsigned int i = 0; i < PROCESSES; i++) {
		children[i] = born(file, seed++);
	}
	for (unsigned int i = 0; i < KILLED; i++) {
		const unsigned int one = (unsigned int)dice(PROCESSES);

		usleep((useconds_t)dice(20000));
		kill(children[one], SIGKILL);
		waitpid(children[one], NULL, 0);
		children[one] = born(file, seed++);
	}
	for (unsigned int i = 0; i < PROCESSES; i++) {
		int status = -1;

		waitpid(children[i], &status, 0);
		CHECK_EQUAL(status, 0);
	}
	all_are_gone(0);
	CHECK_EQUAL(score->wrong, 0);
	printf("%s: %" PRIu64 " ends, %" PRIu64 " errors\n", failures == 0 ? "PASS" : "FAIL", score->ends, score->errors);
	return failures != 0;
}
