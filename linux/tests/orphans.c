/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief orphans JOB COUNT: leaves a process behind that has COUNT jobs in flight, which never end. JOB is calls_job.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "calls.h"
#include "trapeze_jobs.h"

enum {
	PAGE = 4096,
};

int main(int argc, char *argv[])
{
	const int count = argc == 3 ? atoi(argv[2]) : 0;
	const int device = trapeze_open();
	struct trapeze_job code = {0};
	int ready[2];
	char byte;

	if (device < 0 || trapeze_job_load(&code, device, argv[1]) != 0 || pipe(ready) != 0) {
		perror("orphans");
		return 1;
	}
	if (fork() != 0) {
		close(ready[1]);
		return read(ready[0], &byte, 1) == 1 ? 0 : 1;
	}
	for (int i = 0; i < count; i++) {
		/* Buffers of the child itself, because the parent ends. */
		uint64_t *const lines = trapeze_buffer(device, PAGE);
		struct trapeze_job job = code;
		uint64_t number;

		lines[0] = ASK_SPIN;
		trapeze_job_pass(&job, lines, PAGE / 2, TRAPEZE_REGION_READ);
		trapeze_job_pass(&job, (char *)lines + PAGE / 2, PAGE / 2, TRAPEZE_REGION_WRITE);
		if (trapeze_job_submit(&job, device, 0, -1, &number) != 0) {
			perror("orphans: submit");
			return 1;
		}
	}
	if (write(ready[1], "+", 1) == 1) {
		pause();
	}
	return 0;
}
