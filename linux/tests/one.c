/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief one JOB: runs a job once, with a line of input and a line of output. The first word of the input is
 * ASK_VARIABLES for calls_job.c.
 *
 * Prints how it ended, or the error of the call. In the latter case TRAPEZE_JOB_RUN has to fail with the same error.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "trapeze_jobs.h"

#define LINE 64UL

int main(int argc, char *argv[])
{
	const int device = trapeze_open();
	struct trapeze_job job = {0};
	struct trapeze_end end;
	char text[200];

	if (device < 0 || trapeze_job_load(&job, device, argc == 2 ? argv[1] : "") != 0) {
		printf("load: %s\n", strerror(errno));
		return 1;
	}
	uint64_t *const lines = trapeze_buffer(device, 2 * LINE);

	lines[0] = ASK_VARIABLES;
	trapeze_job_pass(&job, lines, LINE, TRAPEZE_REGION_READ);
	trapeze_job_pass(&job, lines + LINE / sizeof(*lines), LINE, TRAPEZE_REGION_WRITE);
	if (trapeze_job_call(&job, device, 0, &end) != 0) {
		const int error = errno;

		printf("call: %s\n", strerror(error));
		return trapeze_job_run(&job, device) == 0 || errno != error;
	}
	trapeze_end_text(&end, text, sizeof(text));
	puts(text);
	return 0;
}
