/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief A job that does nothing but return its first number, between two markers.
 */
#include <stdint.h>

#include "markers.h"

int64_t main(void *a, void *b, void *c, void *d, unsigned long number);

int64_t main(void *a, void *b, void *c, void *d, unsigned long number)
{
	(void)a;
	(void)b;
	(void)c;
	(void)d;
	TRAPEZE_MARKER(MARKER_COMPUTE);
	TRAPEZE_MARKER(MARKER_COMPUTE_END);
	return (int64_t)number;
}
