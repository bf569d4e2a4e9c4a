/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A cipher-like permutation of blocks by four tables of 1 KiB: dependent look-ups, rotations. */
#include "../platform.h"
#include "../whole.h"

#define BLOCKS 160
#define ROUNDS 10

static uint32_t tables[4][256];
static uint32_t blocks[BLOCKS][4];

void prepare(void)
{
	uint64_t state = 0x6a09e667f3bcc908U;

	for (int t = 0; t < 4; t++) {
		for (int i = 0; i < 256; i++) {
			tables[t][i] = (uint32_t)(random_next(&state) >> 32);
		}
	}
	for (int i = 0; i < BLOCKS; i++) {
		for (int k = 0; k < 4; k++) {
			blocks[i][k] = (uint32_t)(random_next(&state) >> 32);
		}
	}
}

uint64_t work(void)
{
	uint64_t checksum = 0;

	for (int i = 0; i < BLOCKS; i++) {
		uint32_t *block = blocks[i];

		for (uint32_t round = 0; round < ROUNDS; round++) {
			uint32_t next[4];

			for (unsigned int k = 0; k < 4; k++) {
				next[k] = tables[0][block[k] & 255U] ^
					  tables[1][(block[(k + 1U) & 3U] >> 8) & 255U] ^
					  tables[2][(block[(k + 2U) & 3U] >> 16) & 255U] ^
					  tables[3][block[(k + 3U) & 3U] >> 24] ^ round;
			}
			for (unsigned int k = 0; k < 4; k++) {
				block[k] = (next[k] << 3) | (next[k] >> 29);
			}
		}
		checksum = (checksum * 5U) + (block[0] ^ block[1] ^ block[2] ^ block[3]);
	}
	return checksum;
}
