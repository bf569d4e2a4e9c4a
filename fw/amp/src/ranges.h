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

/** Takes the ranges of a call. */
static inline void ranges_take(struct job *job, const struct trapeze_call *call)
{
	unsigned int count = *(const volatile uint16_t *)&call->count;

	job->call.count = count < TRAPEZE_CALL_RANGES ? count : TRAPEZE_CALL_RANGES;
	for (unsigned int i = 0; i < job->call.count; i++) {
		job->call.ranges[i] = call->ranges[i];
	}
	/* From here on only the copy is read: the program may change its own meanwhile. */
	__asm__ volatile("" : : : "memory");
}

/** Executes a function for the parts of regions that the ranges of a kind are. */
static inline void ranges_each(const struct job *job, uint8_t what,
			       void (*function)(const struct trapeze_ring_region *))
{
	for (unsigned int i = 0; i < job->call.count; i++) {
		const struct trapeze_call_range *range = &job->call.ranges[i];
		struct trapeze_ring_region part;
		uint32_t lines;

		if ((range->what & what) == 0U || range->region >= job->descriptor.count) {
			continue;
		}
		part = job->descriptor.regions[range->region];
		lines = part.bytes / TRAPEZE_RING_LINE;
		if (range->first > range->last || range->first >= lines) {
			continue;
		}
		lines = (range->last < lines ? range->last + 1U : lines) - range->first;
		part.address += (uint64_t)range->first * TRAPEZE_RING_LINE;
		part.bytes = lines * TRAPEZE_RING_LINE;
		function(&part);
	}
}

#endif /* __riscv_zicbom */

#endif /* RANGES_H_ */
