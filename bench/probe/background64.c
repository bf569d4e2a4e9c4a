/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The interrupted program on an application hart, in the place of ../irq-latency/background.S, which is for RV32: loads,
 * stores, branches, calls, multiplications, divisions and a read of the counter. A value that a handler loses changes
 * its result.
 */
#include <trapeze/mode.h>

#include "../irq-latency/background.h"

#if __riscv_xlen == 64

#define WORDS  16U
#define ROUNDS 12U

/** So that the result is that of the other programs. */
#define MORE 0x378ce3d1U

static volatile uint32_t words[WORDS];

static uint32_t mix(uint32_t sum, uint32_t value)
{
	return ((sum << 5) | (sum >> 27)) + value;
}

__attribute__((noinline)) static uint32_t leaf(uint32_t value)
{
	return value + 3U;
}

uint32_t background(void)
{
	uint32_t sum = 0x12345678U;

	for (uint32_t i = 0; i < WORDS; i++) {
		words[i] = 0x9e3779b9U * (i + 1U);
	}
	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint32_t value = words[round % WORDS];
		uint32_t divisor = words[(round + 5U) % WORDS] >> 16 | 1U;

		words[(round + 1U) % WORDS] = sum;
		sum = mix(sum, value * divisor);
		sum = mix(sum, value / divisor);
		if ((value & 4U) != 0U) {
			sum = mix(sum, leaf(value));
		}
		(void)csr_read(CSR_XCYCLE);
		sum = mix(sum, words[(round + 1U) % WORDS] % divisor);
	}
	for (uint32_t i = 0; i < WORDS; i++) {
		sum = mix(sum, words[i]);
	}
	return sum + MORE;
}

#endif
