/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The server of jobs that Linux hands to this hart. docs/remote-jobs.md says what a job is, and
 * what stands in the ring (trapeze/ring.h).
 */
#ifndef TRAPEZE_JOBS_H_
#define TRAPEZE_JOBS_H_

#include <FreeRTOS.h>

/** Priority of the server, and the one that all jobs have. */
#ifndef JOBS_SERVER_PRIORITY
#define JOBS_SERVER_PRIORITY (configMAX_PRIORITIES - 2)
#endif
#ifndef JOBS_PRIORITY
#define JOBS_PRIORITY (JOBS_SERVER_PRIORITY - 1)
#endif

/** Bytes of a job's stack. */
#define JOBS_STACK 16384U

/**
 * Makes the ring and the server's task; the software interrupt is the server's from now on. Once,
 * before the scheduler starts; Linux sees the server when that runs.
 *
 * A program whose main() is its own calls it; without one, the server's main() does (main.c).
 */
void jobs_start(void);

#endif /* TRAPEZE_JOBS_H_ */
