/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* malloc(), which calloc() and `operator new` call, too. */
#include "size.h"

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
	return __real_malloc(heap_size(size));
}
