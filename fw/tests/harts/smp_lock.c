/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: A counter that both harts increment under a spin lock, and one that they increment by AMO, are exact
config: [duo]
expect: |
  PASS
*/
#include <trapeze/spin_lock.h>

#include "on_all.h"

/* Increments of each hart. lab/tests/firmware/test_harts.py compiles with -DINCREMENTS=500000, which makes a million.
 */
#ifndef INCREMENTS
#define INCREMENTS 4000U
#endif

TZ_SHARED static struct spin_lock lock;
TZ_SHARED static struct barrier together;
TZ_SHARED static uint32_t guarded;    /* incremented under the lock */
TZ_SHARED static uint32_t owner;      /* number of the hart that holds the lock, plus one */
TZ_SHARED static uint32_t intruders;  /* how often a second hart was inside of the lock */
TZ_SHARED static uint32_t atomic;     /* incremented by AMO */
TZ_SHARED static uint32_t unguarded;  /* by plain stores: losses show that both harts count */
TZ_SHARED static uint16_t half_words; /* incremented by the HAL, with its own lock */
TZ_SHARED static uint32_t turns[TRAPEZE_HARTS];

static void count(void *arg)
{
	volatile uint32_t *plain = &unguarded;
	uint32_t self = hart_id() + 1U;

	(void)arg;
	barrier_wait(&together, TRAPEZE_HARTS);
	for (uint32_t i = 0U; i < INCREMENTS; i++) {
		spin_lock_take(&lock);
		intruders += owner != 0U ? 1U : 0U;
		owner = self;
		*(volatile uint32_t *)&guarded += 1U;
		intruders += *(volatile uint32_t *)&owner != self ? 1U : 0U;
		owner = 0U;
		spin_lock_give(&lock);
		(void)__atomic_fetch_add(&atomic, 1U, __ATOMIC_RELAXED);
		*plain += 1U;
		turns[hart_id()]++;
	}
	for (uint32_t i = 0U; i < INCREMENTS / 16U; i++) {
		(void)__atomic_fetch_add(&half_words, 1U, __ATOMIC_RELAXED);
	}
	barrier_wait(&together, TRAPEZE_HARTS);
}

int main(void)
{
	test_begin();
	run_on_all(count);
	CHECK_EQ(guarded, TRAPEZE_HARTS * INCREMENTS);
	CHECK_EQ(atomic, TRAPEZE_HARTS * INCREMENTS);
	CHECK_EQ(intruders, 0U);
	CHECK_EQ(half_words, (uint16_t)(TRAPEZE_HARTS * (INCREMENTS / 16U)));
	CHECK(unguarded <= TRAPEZE_HARTS * INCREMENTS);
	for (unsigned int hart = 0U; hart < TRAPEZE_HARTS; hart++) {
		CHECK_EQ(turns[hart], INCREMENTS);
	}
	return test_end();
}
