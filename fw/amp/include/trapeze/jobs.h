/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The server: it runs the jobs that Linux hands to this hart. docs/remote-jobs.md says what a job is,
 * trapeze/ring.h what the ring holds.
 */
#ifndef TRAPEZE_JOBS_H_
#define TRAPEZE_JOBS_H_

#include <FreeRTOS.h>

/** Priorities: of the server, and of every job, which is lower. */
#ifndef JOBS_SERVER_PRIORITY
#define JOBS_SERVER_PRIORITY (configMAX_PRIORITIES - 2)
#endif
#ifndef JOBS_PRIORITY
#define JOBS_PRIORITY (JOBS_SERVER_PRIORITY - 1)
#endif

/** Cycles between two interrupts by doorbells of programs that ring without a call that can begin. A ring that begins a
 * call is not counted: there are no more of them than calls that end, and jobs have a priority. */
#ifndef JOBS_RING_INTERVAL
#define JOBS_RING_INTERVAL 2000U
#endif

/** Bytes of a job's stack. */
#define JOBS_STACK 16384U

/**
 * Makes the ring and the server's task. From now on the software interrupt is the server's. To be called once, before
 * the scheduler starts; Linux sees the server when the scheduler runs.
 *
 * A program with a main() of its own calls this function. For a program without one main.c does.
 */
void jobs_start(void);

#endif /* TRAPEZE_JOBS_H_ */
