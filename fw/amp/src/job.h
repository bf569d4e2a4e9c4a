/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief A job on this hart, from its descriptor to its end.
 */
#ifndef JOB_H_
#define JOB_H_

#include <FreeRTOS.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include <trapeze/ring.h>

/** Result of job_check(): the descriptor is right. */
#define JOB_RIGHT INT_MAX

/**
 * Checks a descriptor against all that docs/remote-jobs.md says of it.
 *
 * @return JOB_RIGHT, the number of the first wrong region, or TRAPEZE_REFUSED_REST
 */
int job_check(const struct trapeze_ring_job *job);

/**
 * Makes a task of a descriptor that has been checked. Its end is put into the ring when it comes.
 *
 * @return false: there is no memory
 */
bool job_begin(const struct trapeze_ring_job *job);

/** Ends the jobs that Linux wants to be cancelled, whatever their state. Call it with interrupts off. */
void job_end_cancelled(void);

/** Ends the jobs whose time limit is over. For a task of higher priority than theirs. */
void job_end_overdue(void);

/** Ticks of the kernel until the next time limit of a job; portMAX_DELAY: no job has a limit. */
TickType_t job_ticks_left(void);

/** Frees the jobs that have ended. For a task of higher priority than theirs. */
void job_free_ended(void);

#endif /* JOB_H_ */
