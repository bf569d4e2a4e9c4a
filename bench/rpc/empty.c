/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief empty JOB CALLS BURST GAP HOW PROCESSOR [STRESS EACH]: calls of a prepared job that does nothing, each between two markers, at
 * SCHED_FIFO.
 *
 * BURST calls follow each other with GAP cycles between them, then the program sleeps for half a millisecond, so that
 * other programs run and caches and translations become theirs. BURST 0: it never sleeps. HOW: `spin`, until the call has ended; `sleep`, at once.
 *
 * PROCESSOR is the number of the processor that it runs on, by Linux' counting.
 *
 * Before the calls the program starts STRESS with EACH as its argument (linux/programs/stress.c), which makes work for
 * Linux meanwhile.
 *
 * Exit code 0: all calls returned what they were given.
 */
#define _GNU_SOURCE /* sched_setaffinity() of stressed.h */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "markers.h"
#include "stressed.h"
#include "trapeze_calls.h"
#include "trapeze_jobs.h"

static uint64_t cycles(void)
{
	uint64_t now;

	__asm__ volatile("rdcycle %0" : "=r"(now) : : "memory");
	return now;
}

static int fail(const char *what)
{
	perror(what);
	return 1;
}

int main(int argc, char *argv[])
{
	const struct timespec rest = {.tv_nsec = 500000};
	struct trapeze_job job = {0};
	struct trapeze_calls calls;
	struct trapeze_prepared empty;
	struct trapeze_answer answer;
	pid_t stress = 0;

	if (argc != 7 && argc != 9) {
		fprintf(stderr,
			"usage: empty JOB CALLS BURST GAP spin|sleep PROCESSOR [STRESS EACH]\n");
		return 2;
	}
	const unsigned long count = strtoul(argv[2], NULL, 0), burst = strtoul(argv[3], NULL, 0),
			    gap = strtoul(argv[4], NULL, 0);
	const uint32_t spins = strcmp(argv[5], "spin") == 0 ? TRAPEZE_SPIN : 0;
	const int device = trapeze_open();

	if (device < 0) {
		return fail("/dev/trapeze");
	}
	if (trapeze_job_load(&job, device, argv[1]) != 0) {
		return fail(argv[1]);
	}
	if (trapeze_calls_open(&calls, device) != 0 ||
	    trapeze_prepare(&empty, &calls, &job, 0) != 0) {
		return fail("prepare");
	}
	if (argc == 9) {
		stress = stress_start(argv[7], argv[8]);
		if (stress < 0) {
			return fail(argv[7]);
		}
	}
	if (runs_on(strtoul(argv[6], NULL, 0)) != 0) {
		return fail("processor");
	}
	if (burst == 0 && never_rests() != 0) {
		return fail("sched_rt_runtime_us");
	}
	if (goes_first() != 0) {
		return fail("SCHED_FIFO");
	}
	for (unsigned long i = 0; i < count; i++) {
		const uint64_t until = cycles() + gap;
		uint32_t number;
		int failed;

		if (burst != 0 && i % burst == 0) {
			nanosleep(&rest, NULL);
		}
		while (cycles() < until) {
		}
		TRAPEZE_MARKER(MARKER_RUN);
		failed = trapeze_call_begin(&empty, i, 0, 0, &number) != 0 ||
			 trapeze_call_end(&empty, number, spins, 0, &answer) != 0;
		TRAPEZE_MARKER(MARKER_RUN_END);
		if (failed) {
			return fail("call");
		}
		if (answer.status != TRAPEZE_JOB_DONE || answer.result != (int64_t)i) {
			fprintf(stderr, "empty: call %lu: status %" PRIu32 ", result %" PRId64 "\n",
				i, answer.status, answer.result);
			return 1;
		}
	}
	if (stress != 0 && kill(-stress, SIGKILL) != 0) {
		return fail(argv[7]);
	}
	return trapeze_prepared_drop(&empty) == 0 ? 0 : fail("drop");
}
