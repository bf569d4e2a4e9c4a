/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The server's side of the ring. The server does not trust what Linux writes there: it keeps its own indices in
 * its own memory, and copies an entry once before it checks the copy.
 */
#ifndef RING_H_
#define RING_H_

#include <stdbool.h>

#include <trapeze/ring.h>

/** Makes the ring, without entries. Linux does not see it yet. */
void ring_make(void);

/** Lets Linux see it. */
void ring_open(void);

/**
 * Whether Linux has asked for cancels since the last call. Call it before jobs are taken out of the ring, so that the
 * jobs to be cancelled are known after that. Interrupts are off.
 */
bool ring_has_cancels(void);

/** Whether Linux wants a job cancelled. */
bool ring_is_cancelled(uint64_t id);

/** Whether Linux speaks the version of the ring that this server does. */
bool ring_version_right(void);

/** Takes a job out of the ring. Call it with interrupts off. Returns false if the ring is empty. */
bool ring_take_job(struct trapeze_ring_job *job);

/** Puts the end of a job into the ring, and rings for Linux. For tasks. */
void ring_put_end(const struct trapeze_ring_end *end);

#endif /* RING_H_ */
