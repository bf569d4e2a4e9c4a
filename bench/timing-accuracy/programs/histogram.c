/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Counts the words of 128 KiB and follows the counts: streams through memory, dirty victims, scattered updates. */
#include "../platform.h"
#include "../whole.h"

#define WORDS 16384U
#define BINS  4096U

static uint64_t words[WORDS];
static uint32_t bins[BINS];

void prepare(void)
{
	uint64_t state = 0xa54ff53a5f1d36f1U;

	for (unsigned int i = 0; i < WORDS; i++) {
		words[i] = random_next(&state);
	}
}

uint64_t work(void)
{
	uint64_t checksum = 0;

	for (unsigned int i = 0; i < WORDS; i++) {
		bins[words[i] >> 52]++;
		words[i] = ~words[i];
	}
	for (unsigned int i = 0; i < BINS; i++) {
		checksum = (checksum * 5U) + bins[i];
	}
	return checksum;
}
