/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief A program that calls prepared jobs, in the task that plays Linux.
 */
#ifndef CALLER_H_
#define CALLER_H_

#include <stdint.h>

#include <trapeze/channel.h>

#include "linux.h"

/** How a call begins. */
enum way {
	WAY_BORROW, /**< its ring interrupts this task, which is below jobs */
	WAY_QUICK,  /**< its ring comes while the hart is idle */
	WAY_TASK,   /**< its ring comes while this task is above jobs */
	WAYS
};

/** A prepared job. */
struct callee {
	uint32_t channel;
	uint32_t handle;
	uint32_t status; /* how its preparation ended */
	struct trapeze_ring_job job;
};

/** The page of a channel. */
struct trapeze_channel *caller_page(uint32_t channel);

/** linux_wait(), which leaves the hart to the others meanwhile. */
struct trapeze_ring_end caller_end(void);

/** Has a job of called.c prepared. */
struct callee caller_prepare(uint32_t channel, uint64_t limit, uint32_t bytes);

/** Has a job prepared again, which has been dropped. */
void caller_again(struct callee *callee);

/** Has a prepared job dropped. @return the status */
uint32_t caller_drop(uint32_t handle);

/** Writes a call, without a ring. @return its number */
uint32_t caller_put(uint32_t channel, uint32_t handle, uint64_t a, uint64_t b, uint64_t c);

/** Rings the doorbell of a channel. */
void caller_ring(uint32_t channel);

/** Rings in one of the ways, which is this task's priority from here on. */
void caller_ring_in(enum way way, uint32_t channel);

/** Waits for the end of a call, and leaves the hart to the others meanwhile. */
struct trapeze_answer caller_wait(uint32_t channel, uint32_t number);

/** All of these. */
struct trapeze_answer caller_call(enum way way, const struct callee *callee, uint64_t a, uint64_t b,
				  uint64_t c);

#endif /* CALLER_H_ */
