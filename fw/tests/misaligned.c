/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: loads and stores at every byte offset, within words and across them
expect: |
  PASS
*/
#include "test.h"

static uint8_t buffer[16] __attribute__((aligned(4)));

/* A word in the code section, which is another bank than that of data. */
__asm__(".section .text.words, \"ax\", @progbits\n"
	".balign 4\n"
	"code_words:\n"
	"	.word 0x03020100, 0x87868584, 0x0b8a0988, 0x8f0e8d0c\n"
	".text");
extern const uint8_t code_words[];

static void fill(void)
{
	for (uint32_t i = 0; i < sizeof(buffer); i++) {
		buffer[i] = (uint8_t)(0x70U + (i * 5U));
	}
}

static uint32_t expected_word(const uint8_t *p)
{
	return p[0] | ((uint32_t)p[1] << 8) | ((uint32_t)p[2] << 16) | ((uint32_t)p[3] << 24);
}

static void check_loads(const uint8_t *base)
{
	for (uint32_t offset = 0; offset < 9U; offset++) {
		const uint8_t *p = base + offset;
		uint32_t word = expected_word(p);
		uint32_t value;

		__asm__ volatile("lw %0, 0(%1)" : "=r"(value) : "r"(p) : "memory");
		CHECK_EQ(value, word);
		__asm__ volatile("lhu %0, 0(%1)" : "=r"(value) : "r"(p) : "memory");
		CHECK_EQ(value, word & 0xffffU);
		__asm__ volatile("lh %0, 0(%1)" : "=r"(value) : "r"(p) : "memory");
		CHECK_EQ(value, (int32_t)(int16_t)word);
		__asm__ volatile("lb %0, 3(%1)" : "=r"(value) : "r"(p) : "memory");
		CHECK_EQ(value, (int32_t)(int8_t)(word >> 24));
		/* Base and destination are the same register, and the value is used at once. */
		value = (uint32_t)p;
		__asm__ volatile("lw %0, 0(%0)\n\taddi %0, %0, 1" : "+r"(value) : : "memory");
		CHECK_EQ(value, word + 1U);
	}
}

static void check_stores(void)
{
	for (uint32_t offset = 0; offset < 9U; offset++) {
		for (uint32_t size = 1; size <= 4U; size *= 2U) {
			uint8_t *p = &buffer[offset];
			uint32_t back;

			fill();
			if (size == 4U) {
				__asm__ volatile("sw %1, 0(%2)\n\tlw %0, 0(%2)"
						 : "=&r"(back)
						 : "r"(0xa1b2c3d4U), "r"(p)
						 : "memory");
				CHECK_EQ(back, 0xa1b2c3d4U);
			} else if (size == 2U) {
				__asm__ volatile("sh %1, 0(%2)\n\tlhu %0, 0(%2)"
						 : "=&r"(back)
						 : "r"(0xa1b2c3d4U), "r"(p)
						 : "memory");
				CHECK_EQ(back, 0xc3d4U);
			} else {
				__asm__ volatile("sb %1, 0(%2)\n\tlbu %0, 0(%2)"
						 : "=&r"(back)
						 : "r"(0xa1b2c3d4U), "r"(p)
						 : "memory");
				CHECK_EQ(back, 0xd4U);
			}
			/* No other byte has changed. */
			for (uint32_t i = 0; i < sizeof(buffer); i++) {
				bool inside = i >= offset && i < offset + size;
				uint32_t want = inside
						    ? 0xffU & (0xa1b2c3d4U >> (8U * (i - offset)))
						    : 0xffU & (0x70U + (i * 5U));

				CHECK_EQ(buffer[i], want);
			}
		}
	}
}

int main(void)
{
	test_begin();
	fill();
	check_loads(buffer);
	check_loads(code_words);
	check_stores();

	/* Stores and loads that overlap, in a row. */
	uint32_t a;
	uint32_t b;

	fill();
	__asm__ volatile("sw %2, 1(%4)\n\t"
			 "sw %3, 3(%4)\n\t"
			 "lw %0, 2(%4)\n\t"
			 "lw %1, 5(%4)"
			 : "=&r"(a), "=&r"(b)
			 : "r"(0x11223344U), "r"(0x55667788U), "r"(buffer)
			 : "memory");
	CHECK_EQ(a, 0x66778833U);
	CHECK_EQ(b, ((0x70U + 40U) << 24) | ((0x70U + 35U) << 16) | 0x5566U);
	CHECK_NO_TRAP();
	return test_end();
}
