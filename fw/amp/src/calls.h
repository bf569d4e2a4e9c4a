/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Calls of prepared jobs by channels (trapeze/channel.h): a program writes a call and rings its doorbell, whose
 * handler lets the job's task begin at once. The program is believed nothing but which of its own jobs it calls.
 */
#ifndef CALLS_H_
#define CALLS_H_

#include <stdbool.h>
#include <stdint.h>

#include "job.h"

/** Enables the doorbells of channels. */
void calls_start(void);

/**
 * Prepares a job whose descriptor has been checked. For a task of higher priority than jobs.
 *
 * @param handle Gets the handle that calls name it by.
 * @return false: no memory or no handle
 */
bool calls_prepare(const struct trapeze_ring_job *descriptor, uint32_t *handle);

/** Ends a prepared job, whether or not a call of it runs, and frees it; TRAPEZE_RING_ALL: all of them. Return: whether there
 * is one. */
bool calls_drop(uint32_t handle);

/**
 * The job of a call has ended, and job->end says how: writes back what the cache has to, answers, and puts the task away.
 * Interrupts are off.
 */
void calls_ended(struct job *job);

/** Whether a prepared job has a time limit for its calls. */
bool calls_have_limits(void);

/** Does what the handlers of doorbells leave to a task. For a task of higher priority than jobs. */
void calls_serve(void);

#endif /* CALLS_H_ */
