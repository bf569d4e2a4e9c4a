/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief For programs of several processes that act at random: a die for each process, and counters in memory that all
 * of them share.
 */
#ifndef DICE_H_
#define DICE_H_

#include <stdint.h>

/** State of the die (xorshift64), not 0. Set it before the first throw. */
static uint64_t state;

/** A number from 0 to @p sides - 1. */
static uint64_t dice(uint64_t sides)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % sides;
}

/** Counts one, from any process. */
static void add(uint64_t *to)
{
	__atomic_fetch_add(to, 1, __ATOMIC_RELAXED);
}

#endif /* DICE_H_ */
