/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Atomic operations that the compiler calls where the core has none (GCC's libatomic interface): with interrupts locked,
 * which is atomic on a core by itself, and on a platform with several harts with a lock that they share. Machine mode
 * only: user mode cannot lock interrupts. Interrupt locks nest, so that a handler, a task and a locked section may all
 * use them. The orders in the arguments are ignored: each operation is sequentially consistent.
 *
 * With the A extension the compiler calls these for all sizes but four bytes. Several harts without it have no atomic
 * operations between each other: there these are atomic on their own hart.
 *
 * The names belong to the compiler, hence the assembler's.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <trapeze/hart.h>
#include <trapeze/irq.h>

#if TRAPEZE_HARTS > 1 && defined(__riscv_atomic)
#include <trapeze/spin_lock.h>

/* One for all objects, at the same place in every image. */
__attribute__((section(".bss.tz_shared.runtime"))) static struct spin_lock atomic_lock;

static unsigned int lock(void)
{
	return spin_lock_irq_take(&atomic_lock);
}

static void unlock(unsigned int key)
{
	spin_lock_irq_give(&atomic_lock, key);
}
#else
static unsigned int lock(void)
{
	return irq_lock();
}

static void unlock(unsigned int key)
{
	irq_unlock(key);
}
#endif

#define NAMED(symbol) __asm__(symbol) __attribute__((weak))

/* result name(parameters): body, with interrupts locked */
#define LOCKED(result, name, symbol, parameters, ...)                                              \
	result name parameters NAMED(symbol);                                                      \
	result name parameters                                                                     \
	{                                                                                          \
		unsigned int key = lock();                                                         \
		__VA_ARGS__                                                                        \
		unlock(key);                                                                       \
		return old;                                                                        \
	}

#define FETCH(type, size, name, new_value)                                                         \
	LOCKED(type, fetch_##name##_##size, "__atomic_fetch_" #name "_" #size,                     \
	       (type * at, type value, int order), (void)order;                                    \
	       type old = *at; *at = (type)(new_value);)                                           \
	LOCKED(type, name##_fetch_##size, "__atomic_" #name "_fetch_" #size,                       \
	       (type * at, type value, int order), (void)order;                                    \
	       type old = *at; old = (type)(new_value); *at = old;)                                \
	LOCKED(type, sync_fetch_##name##_##size, "__sync_fetch_and_" #name "_" #size,              \
	       (type * at, type value), type old = *at;                                            \
	       *at = (type)(new_value);)                                                           \
	LOCKED(type, sync_##name##_fetch_##size, "__sync_" #name "_and_fetch_" #size,              \
	       (type * at, type value), type old = *at;                                            \
	       old = (type)(new_value); *at = old;)

#define ALL(type, size)                                                                            \
	LOCKED(type, load_##size, "__atomic_load_" #size, (const type *at, int order),             \
	       (void)order;                                                                        \
	       type old = *at;)                                                                    \
	LOCKED(type, store_##size, "__atomic_store_" #size, (type * at, type value, int order),    \
	       (void)order;                                                                        \
	       type old = value; *at = old;)                                                       \
	LOCKED(type, exchange_##size, "__atomic_exchange_" #size,                                  \
	       (type * at, type value, int order), (void)order;                                    \
	       type old = *at; *at = value;)                                                       \
	LOCKED(                                                                                    \
	    bool, compare_exchange_##size, "__atomic_compare_exchange_" #size,                     \
	    (type * at, type * expected, type value, int order, int otherwise), (void)order;       \
	    (void)otherwise; type found = *at; bool old = found == *expected;                      \
	    if (old) { *at = value; } else { *expected = found; })                                 \
	LOCKED(type, sync_exchange_##size, "__sync_lock_test_and_set_" #size,                      \
	       (type * at, type value), type old = *at;                                            \
	       *at = value;)                                                                       \
	LOCKED(                                                                                    \
	    type, sync_value_##size, "__sync_val_compare_and_swap_" #size,                         \
	    (type * at, type expected, type value), type old = *at;                                \
	    if (old == expected) { *at = value; })                                                 \
	LOCKED(                                                                                    \
	    bool, sync_bool_##size, "__sync_bool_compare_and_swap_" #size,                         \
	    (type * at, type expected, type value), bool old = *at == expected;                    \
	    if (old) { *at = value; })                                                             \
	FETCH(type, size, add, old + value)                                                        \
	FETCH(type, size, sub, old - value)                                                        \
	FETCH(type, size, and, old &value)                                                         \
	FETCH(type, size, or, old | value)                                                         \
	FETCH(type, size, xor, old ^ value)                                                        \
	FETCH(type, size, nand, ~(old & value))

ALL(uint8_t, 1)
ALL(uint16_t, 2)
ALL(uint32_t, 4)
ALL(uint64_t, 8)

/* Objects of any size: interrupts are locked for as long as copying them takes. */

void load(size_t size, const void *at, void *into, int order) NAMED("__atomic_load");
void load(size_t size, const void *at, void *into, int order)
{
	unsigned int key = lock();

	(void)order;
	memcpy(into, at, size);
	unlock(key);
}

void store(size_t size, void *at, const void *value, int order) NAMED("__atomic_store");
void store(size_t size, void *at, const void *value, int order)
{
	unsigned int key = lock();

	(void)order;
	memcpy(at, value, size);
	unlock(key);
}

void exchange(size_t size, void *at, const void *value, void *before, int order)
    NAMED("__atomic_exchange");
void exchange(size_t size, void *at, const void *value, void *before, int order)
{
	unsigned int key = lock();

	(void)order;
	memcpy(before, at, size);
	memcpy(at, value, size);
	unlock(key);
}

bool compare_exchange(size_t size, void *at, void *expected, const void *value, int order,
		      int otherwise) NAMED("__atomic_compare_exchange");
bool compare_exchange(size_t size, void *at, void *expected, const void *value, int order,
		      int otherwise)
{
	unsigned int key = lock();
	bool same = memcmp(at, expected, size) == 0;

	(void)order;
	(void)otherwise;
	memcpy(same ? at : expected, same ? value : at, size);
	unlock(key);
	return same;
}

/* A lock it is, though no one ever waits for it. */
bool is_lock_free(size_t size, const volatile void *at) NAMED("__atomic_is_lock_free");
bool is_lock_free(size_t size, const volatile void *at)
{
	(void)size;
	(void)at;
	return false;
}

/* What atomic_flag is made of. GCC 12 calls __atomic_exchange_1() for it, GCC 14 this. */
bool test_and_set(volatile void *at, int order) NAMED("__atomic_test_and_set");
bool test_and_set(volatile void *at, int order)
{
	volatile uint8_t *flag = at;
	unsigned int key = lock();
	bool old = *flag != 0U;

	(void)order;
	*flag = __GCC_ATOMIC_TEST_AND_SET_TRUEVAL;
	unlock(key);
	return old;
}
