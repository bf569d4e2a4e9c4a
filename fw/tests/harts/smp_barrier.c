/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: No hart passes a barrier before all have arrived, whichever hart arrives last
config: [duo]
expect: |
  PASS
*/
#include <trapeze/spin_lock.h>

#include "on_all.h"

#define ROUNDS 200U

TZ_SHARED static struct barrier barrier;
TZ_SHARED static uint32_t arrived[TRAPEZE_HARTS];
TZ_SHARED static uint32_t early[TRAPEZE_HARTS];

static void rounds(void *arg)
{
	unsigned int self = hart_id();

	(void)arg;
	for (uint32_t round = 1U; round <= ROUNDS; round++) {
		/* The harts take turns in arriving later, by a different time in each round. */
		uint32_t delay = (round % TRAPEZE_HARTS) == self ? round % 32U : 0U;

		for (uint32_t i = 0U; i < delay; i++) {
			__asm__ volatile("nop");
		}
		__atomic_store_n(&arrived[self], round, __ATOMIC_RELAXED);
		barrier_wait(&barrier, TRAPEZE_HARTS);
		for (unsigned int other = 0U; other < TRAPEZE_HARTS; other++) {
			uint32_t seen = __atomic_load_n(&arrived[other], __ATOMIC_RELAXED);

			/* The other hart has arrived in this round, or already at the barrier of the next one. */
			early[self] += seen != round && seen != round + 1U ? 1U : 0U;
		}
	}
	barrier_wait(&barrier, TRAPEZE_HARTS);
}

int main(void)
{
	test_begin();
	run_on_all(rounds);
	CHECK_EQ(barrier.round, ROUNDS + 1U);
	CHECK_EQ(barrier.arrived, 0U);
	for (unsigned int hart = 0U; hart < TRAPEZE_HARTS; hart++) {
		CHECK_EQ(arrived[hart], ROUNDS);
		CHECK_EQ(early[hart], 0U);
	}
	return test_end();
}
