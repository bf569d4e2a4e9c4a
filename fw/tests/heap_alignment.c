/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: every block of the heap has the alignment of max_align_t, whatever was allocated before, and keeps its contents
engines: [rtl]
qemu: RTL and model are enough for the C library's allocator
*/
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define BLOCKS 12U
#define STEPS  220U

static unsigned char *blocks[BLOCKS];
static size_t sizes[BLOCKS];

static uint32_t drawn(uint32_t below)
{
	static uint32_t state = 1;

	state = state * 1664525U + 1013904223U;
	return (state >> 16) % below;
}

static void check(unsigned int at)
{
	for (size_t i = 0; i < sizes[at]; i++) {
		if (blocks[at][i] != (unsigned char)at) {
			CHECK(!"a block holds what was put there");
			return;
		}
	}
}

static void set(unsigned int at, void *block, size_t size, size_t alignment)
{
	CHECK(block != NULL);
	CHECK_EQ((uintptr_t)block % alignment, 0);
	blocks[at] = block;
	sizes[at] = size;
	memset(block, (int)at, size);
}

int main(void)
{
	const size_t most = _Alignof(max_align_t);

	test_begin();
	for (unsigned int step = 0; step < STEPS; step++) {
		unsigned int at = drawn(BLOCKS);
		size_t size = drawn(70);
		size_t alignment = (size_t)1 << drawn(8);
		void *made = NULL;

		check(at);
		switch (drawn(6)) {
		case 0:
			free(blocks[at]);
			set(at, malloc(size), size, most);
			break;
		case 1:
			free(blocks[at]);
			set(at, calloc(size, 1), size, most);
			break;
		case 2:
			size += 1;
			made = realloc(blocks[at], size);
			blocks[at] = made;
			sizes[at] = sizes[at] < size ? sizes[at] : size;
			check(at);
			set(at, made, size, most);
			break;
		case 3:
			free(blocks[at]);
			set(at, aligned_alloc(alignment, size), size,
			    alignment > most ? alignment : most);
			break;
		case 4:
			free(blocks[at]);
			alignment = alignment < sizeof(void *) ? sizeof(void *) : alignment;
			CHECK_EQ(posix_memalign(&made, alignment, size), 0);
			set(at, made, size, alignment > most ? alignment : most);
			break;
		default:
			free(blocks[at]);
			blocks[at] = NULL;
			sizes[at] = 0;
			break;
		}
	}
	for (unsigned int at = 0; at < BLOCKS; at++) {
		check(at);
		free(blocks[at]);
	}
	volatile size_t all = SIZE_MAX; /* unknown to the compiler: no warning */

	CHECK(malloc(all) == NULL);
	CHECK(malloc(all - 8U) == NULL);
	CHECK(calloc(all / 2U, 4) == NULL);
	CHECK(realloc(NULL, all / 2U) == NULL);
	CHECK(aligned_alloc(64, all - 20U) == NULL);
	return test_end();
}
