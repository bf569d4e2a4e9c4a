/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Numbers of many words: products with carries, and division by a word, as for the digits of a factorial. */
#include "../platform.h"
#include "../whole.h"

#define WORDS   64
#define LARGEST 200
#define DIGITS  150

static uint64_t number[WORDS];
static unsigned int used;

void prepare(void)
{
}

static void multiply(uint64_t by)
{
	uint64_t carry = 0;

	for (unsigned int i = 0; i < used; i++) {
		unsigned __int128 product = ((unsigned __int128)number[i] * by) + carry;

		number[i] = (uint64_t)product;
		carry = (uint64_t)(product >> 64);
	}
	if (carry != 0U) {
		number[used++] = carry;
	}
}

/** Divides by a number of 32 bits at most; the rest. */
static uint64_t divide(uint32_t by)
{
	uint64_t rest = 0;

	for (unsigned int i = used; i-- > 0;) {
		uint64_t high = (rest << 32) | (number[i] >> 32);
		uint64_t low = ((high % by) << 32) | (uint32_t)number[i];

		number[i] = ((high / by) << 32) | (low / by);
		rest = low % by;
	}
	while (used > 0 && number[used - 1] == 0U) {
		used--;
	}
	return rest;
}

uint64_t work(void)
{
	uint64_t checksum = 0;

	number[0] = 1;
	used = 1;
	for (uint64_t i = 2; i <= LARGEST; i++) {
		multiply(i);
	}
	for (unsigned int i = 0; i < DIGITS / 3; i++) {
		checksum = (checksum * 5U) + divide(1000);
	}
	return checksum;
}
