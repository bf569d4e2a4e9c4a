/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * What compiled C++ calls (Itanium C++ ABI), without exceptions and run-time types. In C, by the names that the compiler
 * gives them, and weak: a program may replace `operator new` and `operator delete`.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "cxx.h"

void *__dso_handle __attribute__((weak)); /* names the one image to __cxa_atexit() */

/* Each new object has an address of its own, also one of no bytes. */
static void *allocate(size_t size)
{
	void *made = malloc(size != 0U ? size : 1U);

	if (made == NULL) {
		cxx_fail("operator new: the heap is full");
	}
	return made;
}

void *operator_new(size_t size) NAMED("_Znw" SIZE);
void *operator_new(size_t size)
{
	return allocate(size);
}

void *operator_new_array(size_t size) NAMED("_Zna" SIZE);
void *operator_new_array(size_t size)
{
	return allocate(size);
}

void operator_delete(void *object) NAMED("_ZdlPv");
void operator_delete(void *object)
{
	free(object);
}

void operator_delete_array(void *object) NAMED("_ZdaPv");
void operator_delete_array(void *object)
{
	free(object);
}

void operator_delete_sized(void *object, size_t size) NAMED("_ZdlPv" SIZE);
void operator_delete_sized(void *object, size_t size)
{
	(void)size;
	operator_delete(object);
}

void operator_delete_array_sized(void *object, size_t size) NAMED("_ZdaPv" SIZE);
void operator_delete_array_sized(void *object, size_t size)
{
	(void)size;
	operator_delete_array(object);
}

/* Those for types that ask for more alignment; heap/aligned_new.c makes them. align_val_t is size_t. */
void operator_delete_aligned(void *object, size_t alignment) NAMED("_ZdlPvSt11align_val_t");
void operator_delete_aligned(void *object, size_t alignment)
{
	(void)alignment;
	free(object);
}

void operator_delete_array_aligned(void *object, size_t alignment) NAMED("_ZdaPvSt11align_val_t");
void operator_delete_array_aligned(void *object, size_t alignment)
{
	(void)alignment;
	free(object);
}

void operator_delete_sized_aligned(void *object, size_t size, size_t alignment)
    NAMED("_ZdlPv" SIZE "St11align_val_t");
void operator_delete_sized_aligned(void *object, size_t size, size_t alignment)
{
	(void)size;
	operator_delete_aligned(object, alignment);
}

void operator_delete_array_sized_aligned(void *object, size_t size, size_t alignment)
    NAMED("_ZdaPv" SIZE "St11align_val_t");
void operator_delete_array_sized_aligned(void *object, size_t size, size_t alignment)
{
	(void)size;
	operator_delete_array_aligned(object, alignment);
}

/* A virtual function that has no definition was called: by a constructor or destructor. */
__attribute__((noreturn)) void __cxa_pure_virtual(void);
__attribute__((weak)) void __cxa_pure_virtual(void)
{
	cxx_fail("pure virtual function called");
}

__attribute__((noreturn)) void __cxa_deleted_virtual(void);
__attribute__((weak)) void __cxa_deleted_virtual(void)
{
	cxx_fail("deleted virtual function called");
}

/*
 * The guard of a static variable in a function. Byte 0: the variable is initialized. Byte 1: its initialization is
 * under way. A second caller cannot wait for its end, because the first caller may be unable to run meanwhile: the
 * second one is a handler, or a task of higher priority.
 */
int __cxa_guard_acquire(uint64_t *guard);
__attribute__((weak)) int __cxa_guard_acquire(uint64_t *guard)
{
	uint8_t *state = (uint8_t *)guard;

	if (state[0] != 0U) {
		return 0;
	}
	if (__atomic_exchange_n(&state[1], 1U, __ATOMIC_ACQUIRE) != 0U) {
		cxx_fail("static variable used while it is being initialized");
	}
	return 1;
}

void __cxa_guard_release(uint64_t *guard);
__attribute__((weak)) void __cxa_guard_release(uint64_t *guard)
{
	uint8_t *state = (uint8_t *)guard;

	__atomic_store_n(&state[0], 1U, __ATOMIC_RELEASE);
}

void __cxa_guard_abort(uint64_t *guard);
__attribute__((weak)) void __cxa_guard_abort(uint64_t *guard)
{
	uint8_t *state = (uint8_t *)guard;

	__atomic_store_n(&state[1], 0U, __ATOMIC_RELEASE);
}
