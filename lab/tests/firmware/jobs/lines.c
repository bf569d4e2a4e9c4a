/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A job with a region of each kind: says how many lines of the cache the regions have. */
#include <inttypes.h>
#include <stdio.h>

#include "cases.h"
#include "linux.h"

void linux_test(void)
{
	struct trapeze_ring_job job = linux_case(7, CASE_RESULT, 5);
	uint64_t lines = 0;

	job.regions[job.count++] = linux_region(64 * 3, TRAPEZE_REGION_WRITE);
	for (uint32_t i = 0; i < job.count; i++) {
		lines += job.regions[i].bytes / TRAPEZE_RING_LINE;
	}
	(void)linux_run("job", &job);
	printf("lines: %" PRIu64 "\n", lines);
	linux_free();
}
