/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* memalign(), which posix_memalign() calls, too, and aligned_alloc(). */
#include "size.h"

static size_t at_least(size_t alignment)
{
	return alignment != 0U && alignment < HEAP_ALIGNMENT && (alignment & (alignment - 1U)) == 0U
		   ? HEAP_ALIGNMENT
		   : alignment;
}

void *__real_memalign(size_t alignment, size_t size);
void *__wrap_memalign(size_t alignment, size_t size);
void *__wrap_memalign(size_t alignment, size_t size)
{
	return __real_memalign(at_least(alignment), heap_size(size));
}

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return __real_aligned_alloc(at_least(alignment), heap_size(size));
}
