/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief crowd JOB [SEED]: eight processes run a thousand jobs of random sizes at once, by every call. Some jobs are
 * cancelled or exceed their time limit, and processes are killed and started again at random. JOB is calls_job.c.
 *
 * The program checks the result of every job that is done, and that no job or buffer is left. Prints a line for each
 * check that fails, or PASS and the number of jobs.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "check.h"
#include "dice.h"
#include "shown.h"
#include "trapeze_jobs.h"

enum {
	PROCESSES = 8,
	JOBS = 1000,
	TOGETHER = 6, /* jobs of one process */
	NUMBERS = 2048,
	KILLED = 24,
};

/** Counters of all processes, in memory that they share. */
struct score {
	uint64_t done;
	uint64_t cancelled;
	uint64_t over_time;
	uint64_t wrong;
};

static struct score *score;

struct slot {
	uint64_t *in, *out;
	uint64_t numbers;
	struct trapeze_job job;
	uint64_t number;
	bool is_in_flight;
};

static int device;
static struct slot slots[TOGETHER];

static uint64_t ended(void)
{
	return __atomic_load_n(&score->done, __ATOMIC_RELAXED) +
	       __atomic_load_n(&score->cancelled, __ATOMIC_RELAXED) +
	       __atomic_load_n(&score->over_time, __ATOMIC_RELAXED);
}

static void wrong(const char *what, uint64_t value)
{
	printf("%d: %s: %" PRIu64 "\n", getpid(), what, value);
	add(&score->wrong);
}

/** Retries, because memory may be short for a moment: jobs of a killed process keep their buffers until they end. */
static void *buffer(size_t bytes)
{
	void *made = NULL;

	for (int i = 0; i < 1000 && made == NULL; i++) {
		made = trapeze_buffer(device, bytes);
		if (made == NULL) {
			usleep(10000);
		}
	}
	if (made == NULL) {
		wrong("buffer", (uint64_t)errno);
		_exit(1);
	}
	return made;
}

static void begin(const char *file)
{
	struct trapeze_job code = {0};

	device = trapeze_open();
	if (device < 0) {
		wrong("open", (uint64_t)errno);
		_exit(1);
	}
	for (int i = 0; trapeze_job_load(&code, device, file) != 0; i++) {
		if (errno != ENOMEM || i == 1000) {
			wrong("load", (uint64_t)errno);
			_exit(1);
		}
		usleep(10000);
	}
	for (unsigned int i = 0; i < TOGETHER; i++) {
		slots[i].in = buffer((NUMBERS + 2) * sizeof(uint64_t));
		slots[i].out = buffer(NUMBERS * sizeof(uint64_t));
		slots[i].job = code;
	}
}

static void fill(struct slot *slot, bool for_ever)
{
	slot->numbers = dice(NUMBERS) + 1;
	slot->in[0] = for_ever ? ASK_SPIN : ASK_TRIPLE;
	slot->in[1] = slot->numbers;
	for (uint64_t i = 0; i < slot->numbers; i++) {
		slot->in[2 + i] = dice(UINT64_MAX);
		slot->out[i] = 0;
	}
	slot->job.count = 1;
	trapeze_job_pass(&slot->job, slot->in, (slot->numbers + 2) * sizeof(uint64_t), TRAPEZE_REGION_READ);
	trapeze_job_pass(&slot->job, slot->out, slot->numbers * sizeof(uint64_t), TRAPEZE_REGION_WRITE);
}

static void check(const struct slot *slot, uint32_t status, int64_t result)
{
	uint64_t sum = 0;

	switch (status) {
	case TRAPEZE_JOB_DONE:
		for (uint64_t i = 0; i < slot->numbers; i++) {
			if (slot->out[i] != 3 * slot->in[2 + i]) {
				wrong("number", i);
				break;
			}
			sum += slot->out[i];
		}
		if (sum != (uint64_t)result || slot->in[0] != ASK_TRIPLE) {
			wrong("result", sum);
		}
		add(&score->done);
		break;
	case TRAPEZE_JOB_CANCELLED:
		add(&score->cancelled);
		break;
	case TRAPEZE_JOB_TIME_LIMIT:
		add(&score->over_time);
		break;
	default:
		wrong("status", status);
	}
}

static void waits_for_one(void)
{
	struct slot *const slot = &slots[0];
	const bool for_ever = dice(8) == 0;
	struct trapeze_end end;

	fill(slot, for_ever);
	if (!for_ever && dice(2) == 0) {
		if (trapeze_job_run(&slot->job, device) != 0) {
			wrong("run", (uint64_t)errno);
			return;
		}
		check(slot, slot->job.status, slot->job.result);
		return;
	}
	if (trapeze_job_call(&slot->job, device, for_ever ? (uint32_t)dice(30) + 1 : 0, &end) != 0) {
		wrong("call", (uint64_t)errno);
		return;
	}
	check(slot, end.status, end.result);
}

static void take_one(void)
{
	struct pollfd ready = {.fd = device, .events = POLLIN};
	struct trapeze_end end;

	if (dice(2) == 0) {
		poll(&ready, 1, -1);
	}
	if (trapeze_job_fetch(device, 0, &end) != 0) {
		wrong("fetch", (uint64_t)errno);
		_exit(1);
	}
	for (unsigned int i = 0; i < TOGETHER; i++) {
		if (slots[i].is_in_flight && slots[i].number == end.job) {
			slots[i].is_in_flight = false;
			check(&slots[i], end.status, end.result);
			return;
		}
	}
	wrong("fetched number", end.job);
}

static void several_in_flight(void)
{
	const unsigned int count = 1 + (unsigned int)dice(TOGETHER);

	for (unsigned int i = 0; i < count; i++) {
		const bool for_ever = dice(8) == 0;

		fill(&slots[i], for_ever);
		while (trapeze_job_submit(&slots[i].job, device, for_ever ? 40 : 0, -1, &slots[i].number) != 0) {
			if (errno != EAGAIN) {
				wrong("submit", (uint64_t)errno);
				_exit(1);
			}
			usleep(1000);
		}
		slots[i].is_in_flight = true;
	}
	for (unsigned int i = 0; i < count; i++) {
		if (dice(3) == 0 && trapeze_job_cancel(device, slots[i].number) != 0 && errno != ENOENT) {
			wrong("cancel", (uint64_t)errno);
		}
	}
	for (unsigned int i = 0; i < count; i++) {
		take_one();
	}
}

static pid_t born(const char *file, uint64_t seed)
{
	const pid_t child = fork();

	if (child == 0) {
		state = seed * 0x9e3779b97f4a7c15 + 1;
		begin(file);
		while (ended() < JOBS) {
			if (dice(3) == 0) {
				waits_for_one();
			} else {
				several_in_flight();
			}
		}
		_exit(0);
	}
	return child;
}

int main(int argc, char *argv[])
{
	const char *const file = argc > 1 ? argv[1] : "";
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	pid_t children[PROCESSES];
	int killed = 0;

	score = mmap(NULL, sizeof(*score), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	setvbuf(stdout, NULL, _IONBF, 0);
	state = seed++ * 0x9e3779b97f4a7c15 + 1;
	for (unsigned int i = 0; i < PROCESSES; i++) {
		children[i] = born(file, seed++);
	}
	while (killed < KILLED && ended() < JOBS) {
		const unsigned int one = (unsigned int)dice(PROCESSES);

		usleep((useconds_t)dice(60000));
		kill(children[one], SIGKILL);
		waitpid(children[one], NULL, 0);
		children[one] = born(file, seed++);
		killed++;
	}
	for (unsigned int i = 0; i < PROCESSES; i++) {
		int status = -1;

		waitpid(children[i], &status, 0);
		CHECK_EQUAL(status, 0);
	}
	all_are_gone(0);
	CHECK_EQUAL(score->wrong, 0);
	CHECK_EQUAL(killed, KILLED);
	printf("%s: %" PRIu64 " done, %" PRIu64 " cancelled, %" PRIu64 " over time, %d processes killed\n",
	       failures == 0 ? "PASS" : "FAIL", score->done, score->cancelled, score->over_time, killed);
	return failures != 0;
}
