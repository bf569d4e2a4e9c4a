/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Counts the ways to place 8 queens: recursion, masks. */
#include "../whole.h"

#define QUEENS 8U

void prepare(void)
{
}

static uint64_t ways(uint32_t columns, uint32_t left, uint32_t right)
{
	const uint32_t all = (1U << QUEENS) - 1U;
	uint64_t found = 0;

	if (columns == all) {
		return 1;
	}
	for (uint32_t open = all & ~(columns | left | right); open != 0U; open &= open - 1U) {
		uint32_t here = open & (~open + 1U);

		found += ways(columns | here, (left | here) << 1, (right | here) >> 1);
	}
	return found;
}

uint64_t work(void)
{
	return ways(0, 0, 0);
}
