/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: atomic operations of every size, with handlers that use them on the same objects, and the interrupt enable
  that they keep
engines: [rtl]
qemu: its mtime is no count of clock cycles, and the timer would hardly interrupt
expect: |
  PASS
*/
#include <stdatomic.h>
#include <stdbool.h>

#include <trapeze/irq.h>
#include <trapeze/timer.h>

#include "test.h"

#define ROUNDS 500U

static _Atomic uint8_t bytes;
static _Atomic uint16_t halves;
static _Atomic uint32_t words;
static _Atomic uint64_t doubles;
static _Atomic struct triple {
	uint32_t x[3];
} triples;
static volatile uint32_t shared; /* changed by compare and exchange, as C++ does for any type */
static volatile uint32_t handled;

static void add_all(void)
{
	bytes++;
	halves += 3U;
	(void)atomic_fetch_sub(&words, 5U);
	doubles += 0x100000001U;

	struct triple old = atomic_load(&triples);
	struct triple new;

	do {
		new = (struct triple){{old.x[0] + 1U, old.x[1] + 2U, old.x[2] + 3U}};
	} while (!atomic_compare_exchange_weak(&triples, &old, new));

	uint32_t seen = shared;

	while (!__atomic_compare_exchange_n(&shared, &seen, seen + 7U, false, __ATOMIC_SEQ_CST,
					    __ATOMIC_RELAXED)) {
	}
}

static void tick(void *arg)
{
	(void)arg;
	handled++;
	add_all();
	/* Distances between alarms have no common factor with the length of a round, so each instruction is
	 * interrupted.
	 */
	timer_set_alarm(timer_now() + 1501U + handled % 61U);
}

static void check_results(void)
{
	_Atomic uint32_t x = 12U;
	_Atomic uint64_t y = 0xffffffffU;
	uint64_t z = 5U;

	CHECK_EQ(atomic_fetch_add(&x, 3U), 12U);
	CHECK_EQ(x += 1U, 16U);
	CHECK_EQ(atomic_fetch_or(&x, 3U), 16U);
	CHECK_EQ(x &= 0x12U, 0x12U);
	CHECK_EQ(atomic_fetch_xor(&x, 0xffU), 0x12U);
	CHECK_EQ(__atomic_nand_fetch((uint32_t *)&x, 0x0fU, __ATOMIC_SEQ_CST), 0xfffffff2U);
	CHECK_EQ(atomic_exchange(&x, 9U), 0xfffffff2U);
	CHECK_EQ(__sync_fetch_and_add((uint32_t *)&x, 2U), 9U);
	CHECK_EQ(__sync_val_compare_and_swap((uint32_t *)&x, 11U, 1U), 11U);
	CHECK(!__sync_bool_compare_and_swap((uint32_t *)&x, 11U, 2U));
	CHECK_EQ(__sync_lock_test_and_set((uint32_t *)&x, 5U), 1U);
	CHECK(!atomic_compare_exchange_strong(&y, &z, 1U));
	CHECK(z == 0xffffffffU);
	CHECK(++y == 0x100000000U);
	atomic_store(&y, z);
	CHECK(atomic_load(&y) == z);

	atomic_flag flag = ATOMIC_FLAG_INIT;

	CHECK(!atomic_flag_test_and_set(&flag));
	CHECK(atomic_flag_test_and_set(&flag));
	CHECK(!atomic_is_lock_free(&y));
}

int main(void)
{
	test_begin();
	check_results();
	CHECK_EQ(irq_lock(), 0U); /* interrupts are disabled as before */

	CHECK_EQ(irq_connect(IRQ_TIMER, tick, NULL), 0);
	irq_enable(IRQ_TIMER);
	irq_unlock_all();
	timer_set_alarm(timer_now() + 100U);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		add_all();
	}
	CHECK(irq_lock() != 0U); /* interrupts are enabled as before */

	uint32_t all = ROUNDS + handled;

	CHECK(handled > 100U);
	CHECK_EQ(bytes, (uint8_t)all);
	CHECK_EQ(halves, (uint16_t)(3U * all));
	CHECK_EQ(words, 0U - 5U * all);
	CHECK(doubles == 0x100000001U * (uint64_t)all);
	CHECK_EQ(shared, 7U * all);

	struct triple last = atomic_load(&triples);

	CHECK(last.x[0] == all && last.x[1] == 2U * all && last.x[2] == 3U * all);
	return test_end();
}
