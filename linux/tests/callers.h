/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A program with a channel and a prepared job, for callers.c and resets.c.
 */
#ifndef CALLERS_H_
#define CALLERS_H_

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

static inline void rest(long ms)
{
	const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&time, NULL);
}

/** Leaves mappings to the last reference of the file, as an exit does. */
static inline void end(struct caller *caller)
{
	trapeze_calls_close(&caller->calls);
	CHECK(munmap(caller->buffer, BYTES) == 0);
	CHECK(munmap((void *)(uintptr_t)caller->job.regions[0].address, 4096) == 0);
	CHECK(close(caller->device) == 0);
}

/** Opens the device, and prepares the job. @return 0, or the error where there is no server, no channel, or a reset. */
static inline int try_begin(struct caller *caller, uint32_t limit_ms)
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
static inline int begin(struct caller *caller, uint32_t limit_ms)
{
	const int error = try_begin(caller, limit_ms);

	errno = error;
	CHECK(error == 0 || error == EBUSY);
	return error == 0;
}

/** Begins, however often the server is reset meanwhile. */
static inline void begin_through_resets(struct caller *caller)
{
	for (int error = try_begin(caller, 0); error != 0; error = try_begin(caller, 0)) {
		errno = error;
		CHECK(error == ENOENT || error == ENODEV || error == EIO || error == EBUSY);
	}
}

/** As begin(), when a channel is free again: the driver frees it a moment after the close. */
static inline void begin_soon(struct caller *caller)
{
	for (int i = 0; !begin(caller, 0); i++) {
		CHECK(i < GOOD_WHILE);
		rest(1);
	}
}

static inline void works(struct caller *caller, uint64_t seed)
{
	struct trapeze_answer answer;

	CHECK(trapeze_call(&caller->prepared, ARGUMENTS, seed, 2, &answer) == 0);
	CHECK(answer.status == TRAPEZE_JOB_DONE && answer.result == (int64_t)seed + 6);
}

struct test_case {
	const char *name;
	void (*function)(void);
};

/** Runs the case that the second word names, with the job that is the first one. @return The program's exit code. */
static inline int run_case(const struct test_case *cases, unsigned int number, int count, char **words)
{
	file = count > 1 ? words[1] : "";
	for (unsigned int i = 0; count > 2 && i < number; i++) {
		if (strcmp(words[2], cases[i].name) == 0) {
			cases[i].function();
			puts(failures == 0 ? "PASS" : "FAIL");
			return failures != 0;
		}
	}
	puts("give a job and a case");
	return 2;
}

#endif /* CALLERS_H_ */
