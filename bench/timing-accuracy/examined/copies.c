/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Copies between areas larger than the data cache: in order, in large steps, and a matrix that is transposed. */
#include "../platform.h"
#include "../whole.h"

#define SIZE 64
#define BIG  (SIZE * SIZE)

static uint64_t from[BIG], to[BIG];

void prepare(void)
{
	uint64_t state = 0x47b5481dbefa4fa4U;

	for (unsigned int i = 0; i < BIG; i++) {
		from[i] = random_next(&state);
	}
}

static void copy(void)
{
	for (unsigned int i = 0; i < BIG; i += 4) {
		uint64_t first = from[i], second = from[i + 1], third = from[i + 2],
			 fourth = from[i + 3];

		to[i] = first;
		to[i + 1] = second;
		to[i + 2] = third;
		to[i + 3] = fourth;
	}
}

static void copy_in_steps(unsigned int step)
{
	for (unsigned int first = 0; first < step; first += 8) {
		for (unsigned int i = first; i < BIG; i += step) {
			to[i] += from[i];
		}
	}
}

static void transpose(void)
{
	for (unsigned int row = 0; row < SIZE; row++) {
		for (unsigned int column = 0; column < SIZE; column++) {
			to[(column * SIZE) + row] = from[(row * SIZE) + column];
		}
	}
}

uint64_t work(void)
{
	uint64_t checksum = 0;

	copy();
	copy_in_steps(136);
	copy_in_steps(512);
	for (unsigned int i = 0; i < BIG; i += 61) {
		checksum = (checksum * 5U) + to[i];
	}
	transpose();
	for (unsigned int i = 0; i < BIG; i += 61) {
		checksum = (checksum * 5U) + to[i];
	}
	return checksum;
}
