/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/* The job of callers.c and resets.c: by the call's first argument. */
#include <stdint.h>

int64_t main(volatile uint64_t *buffer, void *second, void *third, void *fourth, unsigned long what, unsigned long x,
	     unsigned long y);

int64_t main(volatile uint64_t *buffer, void *second, void *third, void *fourth, unsigned long what, unsigned long x,
	     unsigned long y)
{
	(void)second;
	(void)third;
	(void)fourth;
	switch (what) {
	case 0: /* arguments */
		return (int64_t)x + 3 * (int64_t)y;
	case 1: /* words from `x` to before `y`: each the sum of itself and the word before */
		for (unsigned long i = x; i < y; i++) {
			buffer[i] = buffer[i] + buffer[i - 1];
		}
		return (int64_t)buffer[y - 1];
	case 2: /* a fault */
		*(volatile uint32_t *)x = 1;
		return 0;
	case 4: /* a word */
		return (int64_t)buffer[x];
	default: /* for ever, but where the limit ends it */
		for (;;) {
			buffer[0]++;
		}
	}
}
