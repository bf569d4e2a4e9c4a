/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Checks of a job's descriptor. */
#include <stddef.h>

#include <trapeze/map.h>

#include "job.h"

#define READ    TRAPEZE_REGION_READ
#define WRITE   TRAPEZE_REGION_WRITE
#define EXECUTE TRAPEZE_REGION_EXECUTE

static bool flags_right(unsigned int number, uint32_t flags)
{
	if (number == 0U) {
		return (flags & ~WRITE) == (READ | EXECUTE);
	}
	return flags != 0U && (flags & ~(READ | WRITE)) == 0U;
}

static bool place_right(const struct trapeze_ring_region *region)
{
	/* A job in the memory of the firmware below Linux could lift the protection of Linux' hart. */
	const uint64_t base = TRAPEZE_DRAM_BASE + TRAPEZE_FIRMWARE_BYTES;
	const uint64_t size = TRAPEZE_DRAM_SIZE - TRAPEZE_FIRMWARE_BYTES;

	return region->address % TRAPEZE_RING_LINE == 0U &&
	       region->bytes % TRAPEZE_RING_LINE == 0U && region->bytes != 0U &&
	       region->bytes <= size && region->address >= base &&
	       region->address - base <= size - region->bytes;
}

/* Both regions lie in memory, so the sum of address and size cannot overflow. */
static bool overlap(const struct trapeze_ring_region *one, const struct trapeze_ring_region *other)
{
	return one->address < other->address + other->bytes &&
	       other->address < one->address + one->bytes;
}

/* What to do, and what depends on that. */
static bool what_right(const struct trapeze_ring_job *job)
{
	const bool has_regions = job->count >= 1U && job->count <= TRAPEZE_RING_REGIONS;

	switch (job->what) {
	case TRAPEZE_RING_RUN:
		return has_regions && job->of == 0U;
	case TRAPEZE_RING_PREPARE:
		return has_regions && job->of < TRAPEZE_CHANNELS;
	case TRAPEZE_RING_DROP:
		return job->count == 0U && job->limit == 0U;
	default:
		return false;
	}
}

int job_check(const struct trapeze_ring_job *job)
{
	if (job->id == TRAPEZE_RING_NO_JOB || !what_right(job) || job->unused != 0U) {
		return TRAPEZE_REFUSED_REST;
	}
	for (size_t i = 0; i < sizeof(job->reserved) / sizeof(job->reserved[0]); i++) {
		if (job->reserved[i] != 0U) {
			return TRAPEZE_REFUSED_REST;
		}
	}
	for (unsigned int i = 0; i < TRAPEZE_RING_REGIONS; i++) {
		const struct trapeze_ring_region *region = &job->regions[i];

		if (i >= job->count) {
			if (region->address != 0U || region->bytes != 0U || region->flags != 0U) {
				return (int)i;
			}
			continue;
		}
		if (!flags_right(i, region->flags) || !place_right(region)) {
			return (int)i;
		}
		for (unsigned int before = 0; before < i; before++) {
			if (overlap(&job->regions[before], region)) {
				return (int)i;
			}
		}
	}
	return JOB_RIGHT;
}
