/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* memset() and memcpy() by words, in place of the C library's, which go byte by byte: with those, filling the stacks
 * of a job takes longer than all other work of the server for the job.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A word that may alias a part of any object. */
typedef uintptr_t word_t __attribute__((may_alias));

#define WORD  sizeof(word_t)
#define WORDS 8U /* words in one round of a loop */

/* Otherwise the compiler would turn the loops of these functions into calls of the same functions. */
#define BY_LOOPS __attribute__((optimize("no-tree-loop-distribute-patterns")))

static int is_aligned(const void *at)
{
	return (uintptr_t)at % WORD == 0U;
}

BY_LOOPS void *memset(void *to, int value, size_t bytes)
{
	const word_t pattern = (uint8_t)value * (UINTPTR_MAX / UINT8_MAX);
	word_t *word = to;

	if (is_aligned(to)) {
		for (; bytes >= WORDS * WORD; bytes -= WORDS * WORD) {
#pragma GCC unroll 8
			for (unsigned int i = 0; i < WORDS; i++) {
				word[i] = pattern;
			}
			word += WORDS;
		}
		for (; bytes >= WORD; bytes -= WORD) {
			*word++ = pattern;
		}
	}
	for (uint8_t *byte = (uint8_t *)word; bytes != 0U; bytes--) {
		*byte++ = (uint8_t)value;
	}
	return to;
}

BY_LOOPS void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
	word_t *word = to;
	const word_t *source = from;

	if (is_aligned(to) && is_aligned(from)) {
		for (; bytes >= WORD; bytes -= WORD) {
			*word++ = *source++;
		}
	}
	for (uint8_t *byte = (uint8_t *)word, *in = (uint8_t *)source; bytes != 0U; bytes--) {
		*byte++ = *in++;
	}
	return to;
}
