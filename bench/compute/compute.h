/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The kernels of the compute benchmark. Each returns a checksum that depends on all it did.
 */
#ifndef TRAPEZE_BENCH_COMPUTE_H_
#define TRAPEZE_BENCH_COMPUTE_H_

#include <stddef.h>
#include <stdint.h>

/** Sorts, searches, reverses and unlinks a linked list: pointer chasing and unpredictable branches. */
uint32_t list_kernel(uint32_t seed);

/** Products, sums and selections of small integer matrices: multiplies and regular loops. */
uint32_t matrix_kernel(uint32_t seed);

/** Classifies the numbers in a text with a state machine: byte loads and switches. */
uint32_t machine_kernel(uint32_t seed);

/** CRC-32 and CRC-16 of a block, bit by bit and by table: shifts, masks, table look-ups. */
uint32_t crc_kernel(uint32_t seed);

/** Adds @p length bytes to a CRC-32 (polynomial 0xedb88320, reflected), four bits a step. */
uint32_t crc32_update(uint32_t crc, const uint8_t *bytes, size_t length);

/** The next value of a pseudo-random sequence (xorshift, 32 bits). */
static inline uint32_t random_next(uint32_t *state)
{
	uint32_t x = *state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	*state = x;
	return x;
}

#endif /* TRAPEZE_BENCH_COMPUTE_H_ */
