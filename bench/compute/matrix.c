/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

#include "compute.h"

#define SIZE 9

typedef int16_t matrix[SIZE][SIZE];
typedef int32_t wide_matrix[SIZE][SIZE];

static matrix left;
static matrix right;
static wide_matrix product;

static void fill(matrix m, uint32_t *state)
{
	for (int i = 0; i < SIZE; i++) {
		for (int j = 0; j < SIZE; j++) {
			m[i][j] = (int16_t)(random_next(state) & 0x7ffU);
		}
	}
}

static void add_constant(matrix m, int constant)
{
	for (int i = 0; i < SIZE; i++) {
		for (int j = 0; j < SIZE; j++) {
			m[i][j] = (int16_t)(m[i][j] + constant);
		}
	}
}

static void multiply(wide_matrix result, const matrix a, const matrix b)
{
	for (int i = 0; i < SIZE; i++) {
		for (int j = 0; j < SIZE; j++) {
			int32_t total = 0;

			for (int k = 0; k < SIZE; k++) {
				total += a[i][k] * b[k][j];
			}
			result[i][j] = total;
		}
	}
}

static void multiply_vector(int32_t result[SIZE], const matrix a, const int16_t vector[SIZE])
{
	for (int i = 0; i < SIZE; i++) {
		int32_t total = 0;

		for (int j = 0; j < SIZE; j++) {
			total += a[i][j] * vector[j];
		}
		result[i] = total;
	}
}

/* Bit fields of the product, and how often it grows and falls along the rows. */
static uint32_t select(const wide_matrix m)
{
	uint32_t fields = 0;
	uint32_t rises = 0;
	int32_t last = 0;

	for (int i = 0; i < SIZE; i++) {
		for (int j = 0; j < SIZE; j++) {
			int32_t value = m[i][j];

			fields += ((uint32_t)value >> 3 & 0x3fU) * ((uint32_t)value >> 11 & 0x1fU);
			rises += value > last ? 10U : 1U;
			last = value;
		}
	}
	return fields ^ (rises << 16);
}

uint32_t matrix_kernel(uint32_t seed)
{
	uint32_t state = seed | 1U;
	int32_t vector[SIZE];
	uint32_t total;

	fill(left, &state);
	fill(right, &state);
	multiply(product, left, right);
	total = select(product);
	add_constant(left, (int)(seed & 0xffU) - 128);
	multiply_vector(vector, left, right[3]);
	for (int i = 0; i < SIZE; i++) {
		total = total * 33U + (uint32_t)vector[i];
	}
	multiply(product, right, left);
	return total + select(product);
}
