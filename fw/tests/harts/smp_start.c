/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: A second hart starts, runs a function with an argument on a stack of its own, returns, and starts again
config: [duo]
expect: |
  PASS
*/
#include <errno.h>

#include <trapeze/hart.h>
#include <trapeze/irq.h>
#include <trapeze/timer.h>

#include "test.h"

#define ROUNDS 5U

struct report {
	uint32_t hart;
	uint32_t locked;
	uint32_t stack;
	uint32_t calls;
	uint32_t go;
};

TZ_SHARED static struct report report;

/* Neither shared nor zero. Each hart that has memory of its own initialises it. */
static uint32_t initialised = 0x1234abcdU;
static uint32_t cleared;
TZ_SHARED static uint32_t seen_initialised;
TZ_SHARED static uint32_t seen_cleared;

static void second(void *arg)
{
	struct report *into = arg;
	uint32_t here;

	into->hart = hart_id();
	into->locked = (csr_read(CSR_MSTATUS) & MSTATUS_MIE) == 0U;
	into->stack = (uint32_t)&here;
	seen_initialised = initialised;
	seen_cleared = cleared;
	into->calls++;
}

static void until_told(void *arg)
{
	struct report *into = arg;

	while (__atomic_load_n(&into->go, __ATOMIC_ACQUIRE) == 0U) {
	}
	into->calls++;
}

int main(void)
{
	uint32_t here;

	test_begin();
	CHECK_EQ(hart_id(), 0U);
	CHECK_EQ(report.calls, 0U);

	for (uint32_t round = 1U; round <= ROUNDS; round++) {
		CHECK_EQ(hart_start(1U, second, &report), 0);
		hart_wait(1U);
		CHECK_EQ(report.calls, round);
		CHECK_EQ(report.hart, 1U);
		CHECK_EQ(report.locked, 1U);
		CHECK_EQ(seen_initialised, 0x1234abcdU);
		CHECK_EQ(seen_cleared, 0U);
	}
	/* If both stacks are in one memory they do not overlap. */
	CHECK((uint32_t)&here - report.stack > 4096U);

	CHECK_EQ(hart_start(1U, until_told, &report), 0);
	CHECK(hart_is_running(1U));
	CHECK_EQ(hart_start(1U, second, &report), -EBUSY);
	__atomic_store_n(&report.go, 1U, __ATOMIC_RELEASE);
	hart_wait(1U);
	CHECK_EQ(report.calls, ROUNDS + 1U);
	CHECK(!hart_is_running(1U));

	CHECK_EQ(hart_start(0U, second, &report), -EINVAL);
	CHECK_EQ(hart_start(TRAPEZE_HARTS, second, &report), -EINVAL);
	CHECK_EQ(hart_start(1U, NULL, &report), -EINVAL);
	return test_end();
}
