/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Writes numbers as decimal text, searches, reverses and reads them again: byte accesses, divides. */
#include "../platform.h"
#include "../whole.h"

#define NUMBERS 220

static uint64_t numbers[NUMBERS];
static char text[NUMBERS * 21];

void prepare(void)
{
	uint64_t state = 0x510e527fade682d1U;

	for (unsigned int i = 0; i < NUMBERS; i++) {
		numbers[i] = random_next(&state) >> (i % 60U);
	}
}

static char *write_number(char *to, uint64_t value)
{
	char *first = to;

	do {
		*to++ = (char)('0' + (value % 10U));
		value /= 10U;
	} while (value != 0U);
	for (char *left = first, *right = to - 1; left < right; left++, right--) {
		char kept = *left;

		*left = *right;
		*right = kept;
	}
	return to;
}

static const char *read_number(const char *from, uint64_t *value)
{
	uint64_t read = 0;

	while (*from >= '0' && *from <= '9') {
		read = (read * 10U) + (uint64_t)(*from++ - '0');
	}
	*value = read;
	return from;
}

/** How often a text of two characters stands in the whole. */
static uint64_t occurrences(const char *at, char first, char second)
{
	uint64_t found = 0;

	for (; *at != '\0'; at++) {
		if (at[0] == first && at[1] == second) {
			found++;
		}
	}
	return found;
}

uint64_t work(void)
{
	char *end = text;
	uint64_t checksum = 0;

	for (unsigned int i = 0; i < NUMBERS; i++) {
		end = write_number(end, numbers[i]);
		*end++ = ' ';
	}
	*end = '\0';
	for (char c = '0'; c <= '9'; c++) {
		checksum = (checksum * 5U) + occurrences(text, c, '7');
	}
	for (const char *at = text; *at != '\0'; at++) {
		uint64_t value;

		at = read_number(at, &value);
		checksum = (checksum * 5U) + value;
	}
	return checksum;
}
