/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief The job of the Saturn paper's Tables 2 and 3: a product of two matrices of doubles, C = A B, all of n by n.
 *
 * Built for the other hart by `trapeze cc --job`; for the application hart as a function, with another name in place of main.
 */
#include <stdint.h>

/**
 * @param a, b Row by row.
 * @param c Likewise, written.
 * @param size One number, n.
 * @return 0
 */
int64_t main(const double *a, const double *b, double *c, const uint64_t *size);

int64_t main(const double *a, const double *b, double *c, const uint64_t *size)
{
	const uint64_t n = *size;

	for (uint64_t i = 0; i < n; i++) {
		for (uint64_t j = 0; j < n; j++) {
			double sum = 0;

			for (uint64_t k = 0; k < n; k++) {
				sum += a[i * n + k] * b[k * n + j];
			}
			c[i * n + j] = sum;
		}
	}
	return 0;
}
