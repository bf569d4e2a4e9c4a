/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A filter of 32 taps over samples of 16 bits, and the same in single precision. */
#include "../platform.h"
#include "../whole.h"

#define TAPS    32
#define SAMPLES 400

static int16_t taps[TAPS], samples[SAMPLES + TAPS];
static float real_taps[TAPS], real_samples[SAMPLES + TAPS];

void prepare(void)
{
	uint64_t state = 0x3c6ef372fe94f82bU;

	for (int i = 0; i < TAPS; i++) {
		taps[i] = (int16_t)(random_next(&state) >> 50);
		real_taps[i] = (float)taps[i];
	}
	for (int i = 0; i < SAMPLES + TAPS; i++) {
		samples[i] = (int16_t)(random_next(&state) >> 48);
		real_samples[i] = (float)samples[i];
	}
}

uint64_t work(void)
{
	uint64_t checksum = 0;

	for (int i = 0; i < SAMPLES; i++) {
		int64_t sum = 0;

		for (int k = 0; k < TAPS; k++) {
			sum += taps[k] * samples[i + k];
		}
		checksum = (checksum * 5U) + (uint64_t)(sum >> 15);
	}
	for (int i = 0; i < SAMPLES; i++) {
		float sum = 0;

		for (int k = 0; k < TAPS; k++) {
			sum += real_taps[k] * real_samples[i + k];
		}
		checksum = (checksum * 5U) + float_bits(sum);
	}
	return checksum;
}
