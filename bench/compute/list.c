/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

#include "compute.h"

#define NODES 96U

struct node {
	struct node *next;
	int16_t key;
	uint16_t value;
};

static struct node nodes[NODES];

static struct node *build(uint32_t *state)
{
	struct node *head = NULL;

	for (uint32_t i = 0; i < NODES; i++) {
		uint32_t random = random_next(state);

		nodes[i].key = (int16_t)(random & 0x3ffU);
		nodes[i].value = (uint16_t)(random >> 16);
		nodes[i].next = head;
		head = &nodes[i];
	}
	return head;
}

static struct node *reverse(struct node *head)
{
	struct node *done = NULL;

	while (head != NULL) {
		struct node *next = head->next;

		head->next = done;
		done = head;
		head = next;
	}
	return done;
}

static struct node *merge(struct node *a, struct node *b)
{
	struct node first = {0};
	struct node *last = &first;

	while (a != NULL && b != NULL) {
		struct node **smaller = b->key < a->key ? &b : &a;

		last->next = *smaller;
		last = *smaller;
		*smaller = (*smaller)->next;
	}
	last->next = a != NULL ? a : b;
	return first.next;
}

/* Merge sort from the bottom up: runs[i] holds a sorted run of 2^i nodes, or nothing. */
static struct node *sort(struct node *head)
{
	struct node *runs[8] = {0};
	struct node *sorted = NULL;

	while (head != NULL) {
		struct node *run = head;
		unsigned int i = 0;

		head = head->next;
		run->next = NULL;
		while (i < 7U && runs[i] != NULL) {
			run = merge(runs[i], run);
			runs[i] = NULL;
			i++;
		}
		runs[i] = run;
	}
	for (unsigned int i = 0; i < 8U; i++) {
		sorted = merge(runs[i], sorted);
	}
	return sorted;
}

static const struct node *find(const struct node *head, int key)
{
	while (head != NULL && head->key < key) {
		head = head->next;
	}
	return head;
}

static struct node *unlink_odd(struct node *head)
{
	struct node **link = &head;

	while (*link != NULL) {
		if (((*link)->value & 1U) != 0U) {
			*link = (*link)->next;
		} else {
			link = &(*link)->next;
		}
	}
	return head;
}

static uint32_t sum(const struct node *head)
{
	uint32_t total = 0;

	for (; head != NULL; head = head->next) {
		total = (total << 1 | total >> 31) + (uint16_t)head->key + head->value;
	}
	return total;
}

uint32_t list_kernel(uint32_t seed)
{
	uint32_t state = seed | 1U;
	struct node *head = sort(build(&state));
	uint32_t total = sum(head);

	for (uint32_t i = 0; i < 16U; i++) {
		const struct node *found = find(head, (int)(random_next(&state) & 0x3ffU));

		total += found != NULL ? found->value : 1U;
	}
	head = reverse(unlink_odd(head));
	return total ^ sum(head);
}
