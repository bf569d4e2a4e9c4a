/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The server's side of the ring. What Linux writes there is believed in nothing but that it can
 * be read: indices of the server's own are kept in its memory, an entry is copied once and checked
 * afterwards.
 */
#ifndef RING_H_
#define RING_H_

#include <stdbool.h>

#include <trapeze/ring.h>

/** Makes the ring, with no entries; Linux does not see it yet. */
void ring_make(void);

/** Lets Linux see it. */
void ring_open(void);

/**
 * Whether Linux has asked for cancels since the last call. Called before jobs are taken out, so that
 * the jobs that they mean are there behind that. Interrupts are off.
 */
bool ring_has_cancels(void);

/** Whether Linux wants a job cancelled. */
bool ring_is_cancelled(uint64_t id);

/** Whether Linux speaks the version of the ring that this server does. */
bool ring_version_right(void);

/** Takes a job out. Interrupts are off. Returns false if there is none. */
bool ring_take_job(struct trapeze_ring_job *job);

/** Puts the end of a job in, and rings for Linux. For tasks. */
void ring_put_end(const struct trapeze_ring_end *end);

#endif /* RING_H_ */
