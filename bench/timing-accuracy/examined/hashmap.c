/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A hash map whose entries hang on lists: 40 KiB, more than a data cache of 16 KiB. Keys are texts of eight letters. */
#include <stddef.h>

#include "../platform.h"
#include "../whole.h"

#define BUCKETS 512
#define ENTRIES 900
#define ROUNDS  2
#define LETTERS 8

struct entry {
	struct entry *next;
	uint64_t count;
	char key[LETTERS];
	uint64_t unused;
};

static struct entry *buckets[BUCKETS];
static struct entry entries[ENTRIES];
static char texts[ENTRIES][LETTERS];
static unsigned int used;

void prepare(void)
{
	uint64_t state = 0x629a292a367cd507U;

	for (unsigned int i = 0; i < ENTRIES; i++) {
		uint64_t value = random_next(&state) % 700U;

		for (unsigned int k = 0; k < LETTERS; k++) {
			texts[i][k] = (char)('a' + (value % 13U));
			value = (value * 7U) / 9U;
		}
	}
}

static int same(const char *one, const char *other)
{
	for (unsigned int k = 0; k < LETTERS; k++) {
		if (one[k] != other[k]) {
			return 0;
		}
	}
	return 1;
}

static struct entry *entry_of(const char *key)
{
	uint32_t hash = 0x811c9dc5U;

	for (unsigned int k = 0; k < LETTERS; k++) {
		hash = (hash ^ (uint8_t)key[k]) * 0x01000193U;
	}

	struct entry **place = &buckets[(hash >> 7) % BUCKETS];

	for (; *place != NULL; place = &(*place)->next) {
		if (same((*place)->key, key)) {
			return *place;
		}
	}

	struct entry *made = &entries[used++];

	for (unsigned int k = 0; k < LETTERS; k++) {
		made->key[k] = key[k];
	}
	*place = made;
	return made;
}

uint64_t work(void)
{
	uint64_t checksum = 0;

	for (unsigned int round = 0; round < ROUNDS; round++) {
		for (unsigned int i = 0; i < ENTRIES; i++) {
			checksum = (checksum * 5U) + ++entry_of(texts[(i * 511U) % ENTRIES])->count;
		}
	}
	return (checksum * 5U) + used;
}
