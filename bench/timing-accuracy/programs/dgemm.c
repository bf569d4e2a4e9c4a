/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* The product of two SIZE by SIZE matrices of doubles, by the job of bench/rpc. */
#include "../platform.h"
#include "../whole.h"

#define main dgemm_job
#include "../../rpc/dgemm_job.c"
#undef main

static double a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE];

static void fill(double *matrix, uint64_t seed)
{
	for (uint64_t i = 0; i < SIZE * SIZE; i++) {
		seed = (seed * 6364136223846793005U) + 1442695040888963407U;
		matrix[i] = (double)(int64_t)(seed >> 40) / 1024 - 8192;
	}
}

void prepare(void)
{
	fill(a, 1);
	fill(b, 2);
}

uint64_t work(void)
{
	const uint64_t size = SIZE;
	uint64_t checksum = (uint64_t)dgemm_job(a, b, c, &size);

	for (uint64_t i = 0; i < SIZE; i++) {
		checksum = (checksum * 5U) + double_bits(c[i * (SIZE + 1)]);
	}
	return checksum;
}
