/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Words that are searched in a text, with steps that the last letter under the word allows. */
#include "../platform.h"
#include "../whole.h"

#define LETTERS 12000
#define WORDS   6

static char text[LETTERS + 1];
static const char *const parts[] = {"the ",    "river ", "under ", "and ",  "a ",     "stone ",
				    "bridge ", "over ",  "water ", "of ",   "green ", "glass ",
				    "runs ",   "slow ",  "tower ", "there "};
static const char *const words[] = {
    "bridge", "water of", "slow tower", "nothing", "there a green glass", "stone stone"};

void prepare(void)
{
	uint64_t state = 0x152fecd8f70e5939U;
	unsigned int length = 0;

	while (length < LETTERS) {
		for (const char *at = parts[random_next(&state) % 16U];
		     *at != '\0' && length < LETTERS; at++) {
			text[length++] = *at;
		}
	}
}

static uint64_t occurrences(const char *word)
{
	uint8_t steps[256];
	unsigned int length = 0;
	uint64_t found = 0;

	while (word[length] != '\0') {
		length++;
	}
	for (unsigned int i = 0; i < 256; i++) {
		steps[i] = (uint8_t)length;
	}
	for (unsigned int i = 0; i + 1 < length; i++) {
		steps[(uint8_t)word[i]] = (uint8_t)(length - 1 - i);
	}
	for (unsigned int at = 0; at + length <= LETTERS;) {
		unsigned int left = length;

		while (left > 0 && text[at + left - 1] == word[left - 1]) {
			left--;
		}
		found += left == 0 ? at : 0U;
		at += steps[(uint8_t)text[at + length - 1]];
	}
	return found;
}

uint64_t work(void)
{
	uint64_t checksum = 0;

	for (unsigned int i = 0; i < WORDS; i++) {
		checksum = (checksum * 5U) + occurrences(words[i]);
	}
	return checksum;
}
