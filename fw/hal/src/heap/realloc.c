/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* realloc(); without a size it frees. */
#include "size.h"

void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size)
{
	return __real_realloc(block, block != NULL && size == 0U ? 0U : heap_size(size));
}
