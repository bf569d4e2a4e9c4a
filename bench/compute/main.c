/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A benchmark of plain computation: cycles and instructions of one iteration of each kernel and of
 * all four. The result of every kernel feeds the next one and is checked at the end; a wrong one
 * ends the run with code 1. Marker 4 stands before the first and behind every iteration.
 */
#include <stdint.h>
#include <stdio.h>

#include <trapeze/marker.h>
#include <trapeze/timer.h>

#include "compute.h"

/** How often each kernel runs in the timed part. */
#ifndef ITERATIONS
#define ITERATIONS 8U
#endif

struct kernel {
	const char *name;
	uint32_t (*run)(uint32_t seed);
	uint32_t expected; /* checksum after 8 iterations */
	uint32_t checksum;
	uint64_t cycles;
	uint64_t instructions;
};

static struct kernel kernels[] = {
    {.name = "list", .run = list_kernel, .expected = 0x9c561085U},
    {.name = "matrix", .run = matrix_kernel, .expected = 0x2f61c9c2U},
    {.name = "machine", .run = machine_kernel, .expected = 0x6bb43851U},
    {.name = "crc", .run = crc_kernel, .expected = 0x380bf8edU},
};

#define KERNELS (sizeof(kernels) / sizeof(kernels[0]))

static void print_row(const char *name, uint64_t cycles, uint64_t instructions)
{
	printf("%-8s cycles %lu instructions %lu\n", name, (unsigned long)(cycles / ITERATIONS),
	       (unsigned long)(instructions / ITERATIONS));
}

int main(void)
{
	static volatile uint32_t start_seed = 0x2545f491U;
	uint32_t seed = start_seed;
	uint64_t cycles = 0;
	uint64_t instructions = 0;
	int result = 0;

	TRAPEZE_MARKER(TRAPEZE_MARKER_ITERATION);
	for (unsigned int i = 0; i < ITERATIONS; i++) {
		for (unsigned int k = 0; k < KERNELS; k++) {
			uint64_t first_cycle = timer_cycles();
			uint64_t first_instruction = timer_instructions();

			seed = kernels[k].run(seed);
			kernels[k].instructions += timer_instructions() - first_instruction;
			kernels[k].cycles += timer_cycles() - first_cycle;
			kernels[k].checksum = (kernels[k].checksum * 5U) + seed;
		}
		TRAPEZE_MARKER(TRAPEZE_MARKER_ITERATION);
	}

	for (unsigned int k = 0; k < KERNELS; k++) {
		print_row(kernels[k].name, kernels[k].cycles, kernels[k].instructions);
		cycles += kernels[k].cycles;
		instructions += kernels[k].instructions;
		if (ITERATIONS == 8U && kernels[k].checksum != kernels[k].expected) {
			printf("%s: checksum 0x%08lx, expected 0x%08lx\n", kernels[k].name,
			       (unsigned long)kernels[k].checksum,
			       (unsigned long)kernels[k].expected);
			result = 1;
		}
	}
	print_row("total", cycles, instructions);
	return result;
}
