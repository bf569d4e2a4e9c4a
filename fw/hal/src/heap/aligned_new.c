/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* `operator new` for types that ask for more alignment than malloc() gives; align_val_t is size_t. */
#include <stddef.h>
#include <stdlib.h>

#include "../cxx.h"

static void *allocate_aligned(size_t size, size_t alignment)
{
	/* aligned_alloc() takes multiples of the alignment. */
	size_t whole = (size + alignment - 1U) & ~(alignment - 1U);
	void *made =
	    whole >= size ? aligned_alloc(alignment, whole != 0U ? whole : alignment) : NULL;

	if (made == NULL) {
		cxx_fail("operator new: the heap is full");
	}
	return made;
}

void *operator_new_aligned(size_t size, size_t alignment) NAMED("_Znw" SIZE "St11align_val_t");
void *operator_new_aligned(size_t size, size_t alignment)
{
	return allocate_aligned(size, alignment);
}

void *operator_new_array_aligned(size_t size, size_t alignment)
    NAMED("_Zna" SIZE "St11align_val_t");
void *operator_new_array_aligned(size_t size, size_t alignment)
{
	return allocate_aligned(size, alignment);
}
