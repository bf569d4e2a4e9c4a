/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A kernel of bench/compute, KERNEL, twelve times. */
#include "../../compute/compute.h"
#include "../whole.h"

#define TIMES 12U

void prepare(void)
{
}

uint64_t work(void)
{
	uint32_t seed = 0x2545f491U;
	uint64_t checksum = 0;

	for (unsigned int i = 0; i < TIMES; i++) {
		seed = KERNEL(seed);
		checksum = (checksum * 5U) + seed;
	}
	return checksum;
}
