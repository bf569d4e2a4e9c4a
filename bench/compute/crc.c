/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

#include "compute.h"

#define BLOCK 128U

static const uint32_t crc32_nibbles[16] = {
    0x00000000U, 0x1db71064U, 0x3b6e20c8U, 0x26d930acU, 0x76dc4190U, 0x6b6b51f4U,
    0x4db26158U, 0x5005713cU, 0xedb88320U, 0xf00f9344U, 0xd6d6a3e8U, 0xcb61b38cU,
    0x9b64c2b0U, 0x86d3d2d4U, 0xa00ae278U, 0xbdbdf21cU,
};

uint32_t crc32_update(uint32_t crc, const uint8_t *bytes, size_t length)
{
	crc = ~crc;
	for (size_t i = 0; i < length; i++) {
		crc ^= bytes[i];
		crc = (crc >> 4) ^ crc32_nibbles[crc & 15U];
		crc = (crc >> 4) ^ crc32_nibbles[crc & 15U];
	}
	return ~crc;
}

/* CRC-16 with polynomial 0x1021, most significant bit first, bit by bit. */
static uint16_t crc16_update(uint16_t crc, const uint8_t *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		crc = (uint16_t)(crc ^ (bytes[i] << 8));
		for (int bit = 0; bit < 8; bit++) {
			if ((crc & 0x8000U) != 0U) {
				crc = (uint16_t)((crc << 1) ^ 0x1021U);
			} else {
				crc = (uint16_t)(crc << 1);
			}
		}
	}
	return crc;
}

uint32_t crc_kernel(uint32_t seed)
{
	static uint8_t block[BLOCK];
	uint32_t state = seed | 1U;

	for (size_t i = 0; i < BLOCK; i++) {
		block[i] = (uint8_t)random_next(&state);
	}
	return crc32_update(seed, block, BLOCK) ^
	       ((uint32_t)crc16_update(0xffffU, block, BLOCK) << 8);
}
