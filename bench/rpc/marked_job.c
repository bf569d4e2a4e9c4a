/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The job dgemm_job.c, compiled with dgemm_here in place of main, between two markers.
 */
#include <stdint.h>

#include "markers.h"

int64_t dgemm_here(const double *a, const double *b, double *c, const uint64_t *size);

int64_t main(const double *a, const double *b, double *c, const uint64_t *size);

int64_t main(const double *a, const double *b, double *c, const uint64_t *size)
{
	TRAPEZE_MARKER(MARKER_COMPUTE);

	const int64_t result = dgemm_here(a, b, c, size);

	TRAPEZE_MARKER(MARKER_COMPUTE_END);
	return result;
}
