/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Code of jobs at random.
 */
#ifndef HOSTILE_CODE_H_
#define HOSTILE_CODE_H_

#include <stdint.h>

#include <trapeze/ring.h>

/** Instructions of a job, of four bytes. */
#define HOSTILE_CODE 64U

/** A number below @p sides, from the test's seed. */
uint32_t hostile_dice(uint32_t sides);

/**
 * Makes code that loads, stores, jumps, loops, takes stack, or is no code at all. Some of it returns.
 *
 * @param job whose regions are among the places that it tries
 */
void hostile_code(uint32_t code[HOSTILE_CODE], const struct trapeze_ring_job *job);

#endif /* HOSTILE_CODE_H_ */
