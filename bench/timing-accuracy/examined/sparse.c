/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A matrix of which few entries are kept, times a vector, until it settles: loads by index, in doubles. */
#include "../platform.h"
#include "../whole.h"

#define ROWS    500
#define IN_ROW  7
#define ENTRIES (ROWS * IN_ROW)
#define STEPS   6

static double values[ENTRIES];
static uint32_t places[ENTRIES];
static double vectors[2][ROWS];

void prepare(void)
{
	uint64_t state = 0xae5f9156e7b6d99bU;

	for (unsigned int i = 0; i < ENTRIES; i++) {
		uint64_t value = random_next(&state);

		places[i] = (uint32_t)(value % ROWS);
		values[i] = (double)(int64_t)(value >> 44) / 8388608;
	}
	for (unsigned int i = 0; i < ROWS; i++) {
		vectors[0][i] = 1 + (double)(i % 17U);
	}
}

uint64_t work(void)
{
	uint64_t checksum = 0;

	for (unsigned int step = 0; step < STEPS; step++) {
		const double *from = vectors[step % 2U];
		double *to = vectors[(step + 1U) % 2U];

		for (unsigned int row = 0; row < ROWS; row++) {
			double sum = 0;

			for (unsigned int i = row * IN_ROW; i < (row + 1U) * IN_ROW; i++) {
				sum += values[i] * from[places[i]];
			}
			to[row] = sum;
		}
	}
	for (unsigned int i = 0; i < ROWS; i += 9) {
		checksum = (checksum * 5U) + double_bits(vectors[0][i]);
	}
	return checksum;
}
