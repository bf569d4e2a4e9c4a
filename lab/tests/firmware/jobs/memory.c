/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* memset() and memcpy() of the server, at every alignment, up to more bytes
 * than a round of their loops has. Exit code: 0, or the number of the check
 * that fails.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ALIGNMENTS 8U
#define MOST       150U
#define ROOM       (MOST + 4U * ALIGNMENTS)

static uint8_t from[ROOM], to[ROOM] __attribute__((aligned(8)));

/* Whether `to` holds what it did, but for bytes at [start, start + bytes). */
static int rest_is_whole(size_t start, size_t bytes)
{
	for (size_t i = 0; i < ROOM; i++) {
		if ((i < start || i >= start + bytes) && to[i] != 0xA5U) {
			return 0;
		}
	}
	return 1;
}

static void forget(void)
{
	for (size_t i = 0; i < ROOM; i++) {
		((volatile uint8_t *)to)[i] = 0xA5U;
	}
}

static int check(size_t start, size_t source, size_t bytes)
{
	forget();
	if (memset(&to[start], (int)(bytes | 0x100U), bytes) != &to[start]) {
		return 1;
	}
	for (size_t i = 0; i < bytes; i++) {
		if (to[start + i] != (uint8_t)bytes) {
			return 2;
		}
	}
	if (!rest_is_whole(start, bytes)) {
		return 3;
	}
	forget();
	if (memcpy(&to[start], &from[source], bytes) != &to[start]) {
		return 4;
	}
	for (size_t i = 0; i < bytes; i++) {
		if (to[start + i] != from[source + i]) {
			return 5;
		}
	}
	return rest_is_whole(start, bytes) ? 0 : 6;
}

int main(void)
{
	for (size_t i = 0; i < ROOM; i++) {
		from[i] = (uint8_t)(i * 7U + 1U);
	}
	for (size_t start = 0; start < ALIGNMENTS; start++) {
		for (size_t source = 0; source < ALIGNMENTS; source += start == 0U ? 1U : 3U) {
			for (size_t bytes = 0; bytes <= MOST; bytes++) {
				int wrong = check(ALIGNMENTS + start, source, bytes);

				if (wrong != 0) {
					return wrong;
				}
			}
		}
	}
	return 0;
}
