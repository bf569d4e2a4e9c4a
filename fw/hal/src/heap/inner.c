/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* malloc() as the C library's memalign() calls it, whatever malloc() the program has. */
#include "size.h"

void *__real___malloc_malloc(size_t size);
void *__wrap___malloc_malloc(size_t size);
void *__wrap___malloc_malloc(size_t size)
{
	return __real___malloc_malloc(heap_size(size));
}
