/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs every micro-kernel with n rounds and with 2n, after warming up. Results: n, and the differences in cycles and in
 * instructions between the two.
 */
#include "../platform.h"

#define LINE          64U
#define PATTERN_BYTES 2048U
#define PATTERNS      7U

/* As kernel.inc has them. */
enum kind {
	KIND_NUMBER,
	KIND_FRESH,
	KIND_CHASE,
	KIND_PATTERN,
};

struct kernel {
	const char *name;
	uint64_t (*run)(uint64_t rounds, void *scratch, uint64_t argument);
	uint64_t rounds;
	uint64_t kind;
	uint64_t argument;
};

extern const struct kernel kernels_begin[], kernels_end[];
extern unsigned char untouched[];

static unsigned char scratch[8192] __attribute__((aligned(4096)));
static unsigned char patterns[PATTERNS][PATTERN_BYTES] __attribute__((aligned(4096)));
static unsigned char ring[256U * 1024U] __attribute__((aligned(4096)));

/** The next memory that no kernel has touched. */
static unsigned char *fresh = untouched;

static void make_patterns(void)
{
	uint64_t state = 88172645463325252U;

	for (unsigned int i = 0; i < PATTERN_BYTES; i++) {
		uint64_t random = random_next(&state) >> 32;

		patterns[0][i] = 1U;
		patterns[1][i] = 0U;
		patterns[2][i] = i & 1U;
		patterns[3][i] = (i & 3U) == 3U;
		patterns[4][i] = (i & 7U) == 7U || (i & 7U) == 2U;
		patterns[5][i] = random & 1U;
		patterns[6][i] = (random & 14U) == 0U;
	}
}

/** Links the lines of some KiB to a ring; with powers of two the sequence goes through each line once. */
static uint64_t make_ring(uint64_t kib)
{
	const uint64_t lines = kib * 1024U / LINE;

	for (uint64_t i = 0; i < lines; i++) {
		uint64_t next = ((i * 1664525U) + 1013904223U) & (lines - 1U);

		*(uint64_t *)&ring[i * LINE] = (uint64_t)&ring[next * LINE];
	}
	return (uint64_t)ring;
}

/** Runs a kernel; a chase returns where it stands, where the next run goes on. */
static void run(const struct kernel *kernel, uint64_t rounds, uint64_t *argument)
{
	uint64_t at = kernel->run(rounds, scratch, *argument);

	if (kernel->kind == KIND_CHASE) {
		*argument = at;
	} else if (kernel->kind == KIND_FRESH) {
		fresh += rounds * kernel->argument;
		*argument = (uint64_t)fresh;
	}
}

static uint64_t argument_of(const struct kernel *kernel)
{
	switch ((enum kind)kernel->kind) {
	case KIND_FRESH:
		return (uint64_t)fresh;
	case KIND_CHASE:
		return make_ring(kernel->argument);
	case KIND_PATTERN:
		return (uint64_t)patterns[kernel->argument];
	case KIND_NUMBER:
	default:
		return kernel->argument;
	}
}

static void measure(const struct kernel *kernel)
{
	uint64_t argument = argument_of(kernel);
	uint64_t spent[2];
	uint64_t executed[2];

	run(kernel, 2U * kernel->rounds, &argument);
	/* The second pair counts: predictors and caches are as the first one left them. */
	for (unsigned int i = 0; i < 4; i++) {
		uint64_t first_instruction = instructions();
		uint64_t first_cycle = cycles();

		run(kernel, kernel->rounds << (i & 1U), &argument);
		spent[i & 1U] = cycles() - first_cycle;
		executed[i & 1U] = instructions() - first_instruction;
	}
	result(kernel->name, kernel->rounds, spent[1] - spent[0], executed[1] - executed[0]);
}

int main(void)
{
	make_patterns();
	for (const struct kernel *kernel = kernels_begin; kernel != kernels_end; kernel++) {
		measure(kernel);
	}
	return 0;
}
