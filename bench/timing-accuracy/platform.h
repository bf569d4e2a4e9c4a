/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief What a program has beside its core: a console, an end, two counters. One ELF runs on Rocket's harness and on
 * every Trapeze platform of the maps `app` and `amp`.
 */
#ifndef TRAPEZE_BENCH_TIMING_ACCURACY_PLATFORM_H_
#define TRAPEZE_BENCH_TIMING_ACCURACY_PLATFORM_H_

/** The harness's copy of the host port, where Rocket can reach it (rocket/targets.h). */
#define HARNESS_HOST_BASE 0x11000000

#ifndef __ASSEMBLER__

#include <stdint.h>

/** Cycles since reset. */
static inline uint64_t cycles(void)
{
	uint64_t value;

	__asm__ volatile("csrr %0, mcycle" : "=r"(value) : : "memory");
	return value;
}

/** Instructions since reset. */
static inline uint64_t instructions(void)
{
	uint64_t value;

	__asm__ volatile("csrr %0, minstret" : "=r"(value) : : "memory");
	return value;
}

/** The next value of a pseudo-random sequence (xorshift, 64 bits); @p state must not be 0. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t x = *state;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	*state = x;
	return x;
}

/** The bits of a double. */
static inline uint64_t double_bits(double value)
{
	union {
		double value;
		uint64_t bits;
	} same = {.value = value};

	return same.bits;
}

/** The bits of a float. */
static inline uint32_t float_bits(float value)
{
	union {
		float value;
		uint32_t bits;
	} same = {.value = value};

	return same.bits;
}

/** Prints a line of the result: a name and three numbers. What they are is with each main(). */
void result(const char *name, uint64_t first, uint64_t second, uint64_t third);

#endif /* __ASSEMBLER__ */

#endif /* TRAPEZE_BENCH_TIMING_ACCURACY_PLATFORM_H_ */
