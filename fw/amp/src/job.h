/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief A job on this hart, from its descriptor to its end.
 */
#ifndef JOB_H_
#define JOB_H_

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/ring.h>

/** Result of job_check(): nothing is wrong. */
#define JOB_RIGHT (-2)

/**
 * Checks a descriptor against all that docs/remote-jobs.md says of it.
 *
 * @return JOB_RIGHT, the number of the first region that is wrong, or -1: something else is
 */
int job_check(const struct trapeze_ring_job *job);

/**
 * Makes a task of a descriptor that has been checked. Its end is put into the ring when it comes.
 *
 * @return false: there is no memory
 */
bool job_begin(const struct trapeze_ring_job *job);

/** Frees the jobs that have ended. For a task of higher priority than theirs. */
void job_free_ended(void);

#endif /* JOB_H_ */
