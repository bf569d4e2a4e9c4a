/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The kernels of bench/compute on any core of the harness synth/peers: a marker in front of the
 * first iteration and behind each one. Returns the checksum of all, which is the same on every core.
 */
#include <stdint.h>

#include "../compute/compute.h"

#define ITERATIONS 3U

static void marker(uint32_t number)
{
	*(volatile uint32_t *)(MARKERS + MARKER) = number;
}

int main(void)
{
	static volatile uint32_t start_seed = 0x2545f491U;
	uint32_t seed = start_seed;

	marker(4U);
	for (unsigned int i = 0; i < ITERATIONS; i++) {
		seed = list_kernel(seed);
		seed = matrix_kernel(seed);
		seed = machine_kernel(seed);
		seed = crc_kernel(seed);
		marker(4U);
	}
	return (int)seed;
}
