/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A job with a variable: adds two buffers, and returns how often it was called, which is once in each run. */
static long calls;

long main(const double *a, const double *b, double *sum)
{
	for (int i = 0; i < 64; i++) {
		sum[i] = a[i] + b[i];
	}
	calls++;
	return calls;
}
