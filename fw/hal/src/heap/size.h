/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Blocks of the heap as aligned as max_align_t. The C library aligns them to 8 bytes. Each of its blocks follows the one
 * before it, with a header between: sizes of 8 bytes more than a multiple of 16 keep all of them at multiples of 16 if
 * the first one is (__heap_start in trapeze.ld). The linker puts these functions before the library's (--wrap), and a
 * program's own malloc() behind them.
 */
#ifndef TRAPEZE_HEAP_SIZE_H_
#define TRAPEZE_HEAP_SIZE_H_

#include <stddef.h>
#include <stdint.h>

#define HEAP_ALIGNMENT 16U
#define HEAP_HEADER    8U /* what the library adds to a size, rounded up to 8 */

_Static_assert(_Alignof(max_align_t) <= HEAP_ALIGNMENT, "blocks are aligned to less");

/* The size to ask for; one that is too large for any heap stays as it is. */
static inline size_t heap_size(size_t size)
{
	if (size > SIZE_MAX - HEAP_ALIGNMENT) {
		return size;
	}
	return ((size + HEAP_HEADER - 1U) & ~((size_t)HEAP_ALIGNMENT - 1U)) + HEAP_HEADER;
}

#endif /* TRAPEZE_HEAP_SIZE_H_ */
