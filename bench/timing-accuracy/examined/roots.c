/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Columns of a matrix that are made orthogonal, in doubles, then roots by iteration in floats: divides and square roots. */
#include "../platform.h"
#include "../whole.h"

#define SIZE  16
#define ROOTS 500
#define STEPS 6

static double columns[SIZE][SIZE];
static float numbers[ROOTS];

void prepare(void)
{
	uint64_t state = 0xdb0c2e0d64f98fa7U;

	for (int i = 0; i < SIZE; i++) {
		for (int k = 0; k < SIZE; k++) {
			columns[i][k] = (double)(int64_t)(random_next(&state) >> 44) / 4096;
		}
	}
	for (int i = 0; i < ROOTS; i++) {
		numbers[i] = (float)(1U + (random_next(&state) >> 45)) / 256;
	}
}

static double root(double value)
{
	double found;

	__asm__("fsqrt.d %0, %1" : "=f"(found) : "f"(value));
	return found;
}

static double product(const double *one, const double *other)
{
	double found = 0;

	for (int k = 0; k < SIZE; k++) {
		found += one[k] * other[k];
	}
	return found;
}

static void orthogonalise(void)
{
	for (int i = 0; i < SIZE; i++) {
		for (int j = 0; j < i; j++) {
			double part = product(columns[i], columns[j]);

			for (int k = 0; k < SIZE; k++) {
				columns[i][k] -= part * columns[j][k];
			}
		}

		double length = root(product(columns[i], columns[i]));

		for (int k = 0; k < SIZE; k++) {
			columns[i][k] /= length;
		}
	}
}

static float cube_root(float value)
{
	float found = value > 1 ? value / 3 : value;

	for (int i = 0; i < STEPS; i++) {
		found -= (found - (value / (found * found))) / 3;
	}
	return found;
}

uint64_t work(void)
{
	uint64_t checksum = 0;

	orthogonalise();
	for (int i = 0; i < ROOTS; i++) {
		checksum = (checksum * 5U) + float_bits(cube_root(numbers[i]));
	}
	for (int i = 0; i < SIZE; i++) {
		checksum = (checksum * 5U) + double_bits(columns[i][i]);
	}
	return checksum;
}
