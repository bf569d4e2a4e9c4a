/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Ranges of cache lines of a call (trapeze/channel.h), on a hart with Zicbom.
 */
#ifndef RANGES_H_
#define RANGES_H_

#ifdef __riscv_zicbom

#include <stdint.h>

#include "job.h"

/** Lines that a handler hands over each way. Those of a call with more are a task's work. */
#define RANGES_OF_HANDLER 64U

/** Takes the ranges of a call, as the parts of the job's regions that they are. */
static inline void ranges_take(struct job *job, const struct trapeze_call *call, unsigned int count)
{
	uint32_t fresh = 0U, wanted = 0U;

	job->call.parts = 0U;
	for (unsigned int i = 0; i < count && i < TRAPEZE_CALL_RANGES; i++) {
		/* The program may change its own meanwhile. */
		const struct trapeze_call_range range = {
		    .all = *(const volatile uint64_t *)&call->ranges[i].all};
		const struct trapeze_ring_region *region;
		struct trapeze_ring_region *part = &job->call.part[job->call.parts];
		uint32_t lines;

		if (range.region >= job->descriptor.count) {
			continue;
		}
		region = &job->descriptor.regions[range.region];
		lines = region->bytes / TRAPEZE_RING_LINE;
		if (range.first > range.last || range.first >= lines) {
			continue;
		}
		lines = (range.last < lines ? range.last + 1U : lines) - range.first;
		part->address = region->address + (uint64_t)range.first * TRAPEZE_RING_LINE;
		part->bytes = lines * TRAPEZE_RING_LINE;
		part->flags = range.what;
		job->call.parts++;
		fresh += (range.what & TRAPEZE_RANGE_FRESH) != 0U ? lines : 0U;
		wanted += (range.what & TRAPEZE_RANGE_WANTED) != 0U ? lines : 0U;
	}
	job->call.begins_long = fresh > RANGES_OF_HANDLER;
	job->call.ends_long = wanted > RANGES_OF_HANDLER;
}

/** Executes a function for the parts of a kind. */
static inline void ranges_each(const struct job *job, uint32_t what,
			       void (*function)(const struct trapeze_ring_region *))
{
	for (unsigned int i = 0; i < job->call.parts; i++) {
		if ((job->call.part[i].flags & what) != 0U) {
			function(&job->call.part[i]);
		}
	}
}

#endif /* __riscv_zicbom */

#endif /* RANGES_H_ */
