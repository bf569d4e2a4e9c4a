/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Words that are rotated, shifted and added in rounds, as hash functions do: eight words of state, all in registers. */
#include "../platform.h"
#include "../whole.h"

#define BLOCKS 60
#define ROUNDS 64
#define WORDS  16

static uint32_t constants[ROUNDS];
static uint32_t message[BLOCKS * WORDS];

void prepare(void)
{
	uint64_t state = 0x1f83d9abfb41bd6bU;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		constants[i] = (uint32_t)random_next(&state);
	}
	for (unsigned int i = 0; i < BLOCKS * WORDS; i++) {
		message[i] = (uint32_t)random_next(&state);
	}
}

static inline uint32_t rotated(uint32_t value, unsigned int by)
{
	return (value >> by) | (value << (32U - by));
}

static void mix(uint32_t state[8], const uint32_t *block)
{
	uint32_t schedule[ROUNDS];
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

	for (unsigned int i = 0; i < WORDS; i++) {
		schedule[i] = block[i];
	}
	for (unsigned int i = WORDS; i < ROUNDS; i++) {
		uint32_t near = schedule[i - 2U], far = schedule[i - 15U];

		schedule[i] = schedule[i - 16U] + schedule[i - 7U] +
			      (rotated(near, 17) ^ rotated(near, 19) ^ (near >> 10)) +
			      (rotated(far, 7) ^ rotated(far, 18) ^ (far >> 3));
	}
	for (unsigned int i = 0; i < ROUNDS; i++) {
		uint32_t left = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
				((e & f) ^ (~e & g)) + constants[i] + schedule[i];
		uint32_t right = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) +
				 ((a & b) ^ (a & c) ^ (b & c));

		h = g;
		g = f;
		f = e;
		e = d + left;
		d = c;
		c = b;
		b = a;
		a = left + right;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
	state[5] += f;
	state[6] += g;
	state[7] += h;
}

uint64_t work(void)
{
	uint32_t state[8] = {1, 2, 3, 4, 5, 6, 7, 8};

	for (unsigned int i = 0; i < BLOCKS; i++) {
		mix(state, message + (i * WORDS));
	}
	return ((uint64_t)state[0] << 32) | state[7];
}
