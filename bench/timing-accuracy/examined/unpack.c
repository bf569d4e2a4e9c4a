/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Decompression: letters, and copies of what was written before, byte by byte, as far back as 4 KiB. */
#include "../platform.h"
#include "../whole.h"

#define TOKENS 2600
#define LENGTH 40000

static uint8_t packed[TOKENS * 4];
static uint8_t unpacked[LENGTH];
static unsigned int packed_length;

/* A letter is 0 and itself. A copy is its length, 3 at least, and its distance in two bytes. */
void prepare(void)
{
	uint64_t state = 0x67332667ffc00b31U;
	unsigned int length = 0;

	for (unsigned int i = 0; i < TOKENS; i++) {
		uint64_t value = random_next(&state);
		unsigned int copied = 3U + ((value >> 8) % 24U);

		if (length < 64 || value % 3U == 0U || length + copied > LENGTH) {
			if (length == LENGTH) {
				break;
			}
			packed[packed_length++] = 0;
			packed[packed_length++] = (uint8_t)(value >> 16);
			length++;
		} else {
			unsigned int distance =
			    1U + (unsigned int)((value >> 24) % (length < 4096 ? length : 4096U));

			packed[packed_length++] = (uint8_t)copied;
			packed[packed_length++] = (uint8_t)distance;
			packed[packed_length++] = (uint8_t)(distance >> 8);
			length += copied;
		}
	}
}

static unsigned int unpack(void)
{
	uint8_t *to = unpacked;

	for (const uint8_t *at = packed, *end = packed + packed_length; at < end;) {
		unsigned int length = *at++;

		if (length == 0) {
			*to++ = *at++;
			continue;
		}

		const uint8_t *from = to - (at[0] | ((unsigned int)at[1] << 8));

		at += 2;
		do {
			*to++ = *from++;
		} while (--length > 0);
	}
	return (unsigned int)(to - unpacked);
}

uint64_t work(void)
{
	unsigned int length = unpack();
	uint64_t checksum = length;

	for (unsigned int i = 0; i < length; i += 7) {
		checksum = (checksum * 5U) + unpacked[i];
	}
	return checksum;
}
