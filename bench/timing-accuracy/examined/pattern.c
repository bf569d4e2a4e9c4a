/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Patterns with wild cards that are held against lines of text, by recursion that comes back where it was wrong. */
#include "../platform.h"
#include "../whole.h"

#define LINES  24
#define LENGTH 24

static char lines[LINES][LENGTH + 1];
static const char *const patterns[] = {"*ab?c*", "a*b*c*", "*[ac]b[bc]*d", "?*cc*dd*", "*a*d*a*b"};

void prepare(void)
{
	uint64_t state = 0x2e1b21385c26c926U;

	for (unsigned int i = 0; i < LINES; i++) {
		uint64_t value = 0;

		for (unsigned int k = 0; k < LENGTH; k++) {
			value = k % 12U == 0U ? random_next(&state) : value >> 3;
			lines[i][k] = "abcdabca"[value & 7U];
		}
	}
}

/** Whether a letter is one of those in brackets; @p at becomes what stands behind them. */
static int among(const char **at, char letter)
{
	int found = 0;

	for ((*at)++; **at != ']'; (*at)++) {
		found |= **at == letter;
	}
	(*at)++;
	return found;
}

static int matches(const char *pattern, const char *text)
{
	for (; *pattern != '\0'; text++) {
		if (*pattern == '*') {
			pattern++;
			do {
				if (matches(pattern, text)) {
					return 1;
				}
			} while (*text++ != '\0');
			return 0;
		}
		if (*text == '\0') {
			return 0;
		}
		if (*pattern == '[') {
			if (!among(&pattern, *text)) {
				return 0;
			}
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
		} else {
			return 0;
		}
	}
	return *text == '\0';
}

uint64_t work(void)
{
	uint64_t checksum = 0;

	for (unsigned int i = 0; i < LINES; i++) {
		for (unsigned int k = 0; k < 5; k++) {
			checksum = (checksum * 5U) + (uint64_t)matches(patterns[k], lines[i]);
		}
	}
	return checksum;
}
