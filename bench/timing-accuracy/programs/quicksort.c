/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Sorts numbers by partitions: unpredictable branches, recursion. */
#include "../platform.h"
#include "../whole.h"

#define NUMBERS 2000

static int32_t numbers[NUMBERS];

void prepare(void)
{
	uint64_t state = 0x9e3779b97f4a7c15U;

	for (int i = 0; i < NUMBERS; i++) {
		numbers[i] = (int32_t)(random_next(&state) >> 40);
	}
}

static void sort(int32_t *from, int32_t *to)
{
	while (to - from > 1) {
		int32_t pivot = from[(to - from) / 2];
		int32_t *low = from;
		int32_t *high = to - 1;

		while (low <= high) {
			while (*low < pivot) {
				low++;
			}
			while (*high > pivot) {
				high--;
			}
			if (low <= high) {
				int32_t kept = *low;

				*low++ = *high;
				*high-- = kept;
			}
		}
		sort(from, high + 1);
		from = low;
	}
}

uint64_t work(void)
{
	uint64_t checksum = 0;

	sort(numbers, numbers + NUMBERS);
	for (int i = 0; i < NUMBERS; i++) {
		checksum = (checksum * 5U) + (uint64_t)numbers[i];
	}
	return checksum;
}
