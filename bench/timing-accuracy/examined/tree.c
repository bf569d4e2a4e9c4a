/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* A balanced tree of nodes with pointers (an AA tree): numbers are inserted by recursion, then looked for. */
#include <stddef.h>

#include "../platform.h"
#include "../whole.h"

#define NODES   420
#define LOOKUPS 1200

struct node {
	uint64_t key;
	struct node *left, *right;
	unsigned int level;
};

static struct node nodes[NODES];
static unsigned int used;
static uint64_t keys[NODES];

void prepare(void)
{
	uint64_t state = 0x5be0cd19137e2179U;

	for (unsigned int i = 0; i < NODES; i++) {
		keys[i] = random_next(&state) >> 20;
	}
}

static struct node *skewed(struct node *at)
{
	struct node *left = at->left;

	if (left == NULL || left->level != at->level) {
		return at;
	}
	at->left = left->right;
	left->right = at;
	return left;
}

static struct node *split(struct node *at)
{
	struct node *right = at->right;

	if (right == NULL || right->right == NULL || right->right->level != at->level) {
		return at;
	}
	at->right = right->left;
	right->left = at;
	right->level++;
	return right;
}

static struct node *inserted(struct node *at, uint64_t key)
{
	if (at == NULL) {
		struct node *made = &nodes[used++];

		made->key = key;
		made->level = 1;
		return made;
	}
	if (key < at->key) {
		at->left = inserted(at->left, key);
	} else if (key > at->key) {
		at->right = inserted(at->right, key);
	}
	return split(skewed(at));
}

/** The least key that is not below a number; 0 if there is none. */
static uint64_t next_of(const struct node *at, uint64_t key)
{
	uint64_t found = 0;

	while (at != NULL) {
		if (at->key < key) {
			at = at->right;
		} else {
			found = at->key;
			at = at->left;
		}
	}
	return found;
}

uint64_t work(void)
{
	struct node *root = NULL;
	uint64_t state = 0xcbbb9d5dc1059ed8U;
	uint64_t checksum = 0;

	for (unsigned int i = 0; i < NODES; i++) {
		root = inserted(root, keys[i]);
	}
	for (unsigned int i = 0; i < LOOKUPS; i++) {
		checksum = (checksum * 5U) + next_of(root, random_next(&state) >> 20);
	}
	return checksum;
}
