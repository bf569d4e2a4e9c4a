/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/* A job of resets.c that counts how often it runs. */
#include <stdint.h>

int64_t main(volatile uint64_t *counter);

int64_t main(volatile uint64_t *counter)
{
	return (int64_t)++*counter;
}
