/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: clz, ctz and cpop of words with their first, last or only one at each place
needs: [zbb]
expect: |
  PASS
*/
#include "test.h"

#define COUNT(op, value)                                                                           \
	({                                                                                         \
		uint32_t count_;                                                                   \
		__asm__(op " %0, %1" : "=r"(count_) : "r"(value));                                 \
		count_;                                                                            \
	})

/** Ones of a word, bit by bit. */
static uint32_t ones(uint32_t word)
{
	uint32_t sum = 0U;

	for (uint32_t bit = 0U; bit < 32U; bit++) {
		sum += (word >> bit) & 1U;
	}
	return sum;
}

static void check_word(uint32_t word, uint32_t first, uint32_t last)
{
	CHECK_EQ(COUNT("clz", word), 31U - first);
	CHECK_EQ(COUNT("ctz", word), last);
	CHECK_EQ(COUNT("cpop", word), ones(word));
}

int main(void)
{
	test_begin();
	CHECK_EQ(COUNT("clz", 0U), 32U);
	CHECK_EQ(COUNT("ctz", 0U), 32U);
	CHECK_EQ(COUNT("cpop", 0U), 0U);
	for (uint32_t bit = 0U; bit < 32U; bit++) {
		uint32_t one = 1UL << bit;

		check_word(one, bit, bit);
		check_word(one | 1U, bit, 0U);
		check_word(one | 0x80000000U, 31U, bit);
		check_word(one | (one - 1U), bit, 0U);
		check_word(~(one - 1U), 31U, bit);
		check_word(one | ((one - 1U) & 0x9a5c3e71U) | 1U, bit, 0U);
	}
	return test_end();
}
