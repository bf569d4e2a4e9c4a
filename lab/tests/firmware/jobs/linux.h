/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The other side of the ring, as Linux has it, in a task of hart 1 below the jobs.
 */
#ifndef LINUX_H_
#define LINUX_H_

#include <stdint.h>

#include <trapeze/ring.h>

/** Forgets all memory that linux_region() has given. */
void linux_free(void);

/** Where a region is. */
static inline void *linux_at(const struct trapeze_ring_region *region)
{
	return (void *)(uintptr_t)region->address;
}

/** The words of a job's input. */
static inline uint64_t *linux_input(const struct trapeze_ring_job *job)
{
	return linux_at(&job->regions[1]);
}

/** Rings for the server. */
void linux_ring(void);

/** Memory of @p bytes, zeroed. */
struct trapeze_ring_region linux_region(uint32_t bytes, uint32_t flags);

/** A job of many.c with a case, and an input of words of which it is the first. */
struct trapeze_ring_job linux_case(uint64_t id, uint64_t number, uint64_t word);

/** A job of sum.c. */
struct trapeze_ring_job linux_sum(uint64_t id);

/** A job of called.c, to be prepared for a channel. Its buffer has so many bytes. */
struct trapeze_ring_job linux_called(uint64_t id, uint32_t channel, uint32_t bytes);

/** Puts a job in and rings. */
void linux_put(const struct trapeze_ring_job *job);

/** Asks for the cancel of a job and rings. */
void linux_cancel(uint64_t id);

/** Waits for an end, and checks that the doorbell has rung. */
struct trapeze_ring_end linux_wait(void);

/** Puts a job in, waits for its end, and says it in a line that begins with a name. */
struct trapeze_ring_end linux_run(const char *name, const struct trapeze_ring_job *job);

/** Says an end in a line. */
void linux_say(const char *name, const struct trapeze_ring_end *end);

/** What a test does. */
void linux_test(void);

#endif /* LINUX_H_ */
