/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: Atomic operations of two harts, each in its own bank and in the shared one, meet in every cycle
config: [duo]
engines: [rtl]
qemu: there the harts have one memory, and no bank is a hart's own
expect: |
  PASS
*/
#include <trapeze/spin_lock.h>

#include "atomic_test.h"
#include "on_all.h"

/* Delays of one hart against the other, in cycles: more than the sequence takes. */
#define PHASES 160U
#define TRIES  7U

/* Expected results of the SCs of a sequence, one bit each: 1 if it fails. */
#define FAILURES 0x2cU

/* words[k] belongs to hart k. Each operation of a sequence changes bits of its own, and other bits in the hart's own
 * bank than in the shared one.
 */
TZ_SHARED static volatile uint32_t words[2];
TZ_SHARED static volatile uint32_t contested;
TZ_SHARED static volatile uint32_t counted;
TZ_SHARED static struct barrier together;
TZ_SHARED static uint32_t failures[2][2U * PHASES];
TZ_SHARED static uint32_t made[2];

static volatile uint32_t own;

/* Begins @p delay cycles later. Returns the failures of TRIES pairs as bits, and one more bit for the contested word.
 */
static uint32_t __attribute__((noinline, aligned(64)))
sequence(uint32_t delay, volatile uint32_t *mine, volatile uint32_t *shared)
{
	uint32_t result = 0U;
	uint32_t failed;
	uint32_t value;

	__asm__ volatile(
	    ".option push\n"
	    ".option norvc\n"
	    "la %[value], 1f\n"
	    "slli %[failed], %[delay], 2\n"
	    "sub %[value], %[value], %[failed]\n"
	    "jr %[value]\n"
	    ".rept %[phases]\n"
	    "nop\n"
	    ".endr\n"
	    "1:\n"
	    /* 0: own bank alone */
	    "lr.w %[value], (%[mine])\n"
	    "addi %[value], %[value], 1\n"
	    "sc.w %[failed], %[value], (%[mine])\n"
	    "or %[result], %[result], %[failed]\n"
	    /* 1: shared bank alone */
	    "lr.w %[value], (%[shared])\n"
	    "addi %[value], %[value], 1\n"
	    "sc.w %[failed], %[value], (%[shared])\n"
	    "slli %[failed], %[failed], 1\n"
	    "or %[result], %[result], %[failed]\n"
	    /* 2, 3: an LR in the shared bank moves the reservation there, and an SC ends it */
	    "lr.w %[value], (%[mine])\n"
	    "lr.w %[value], (%[shared])\n"
	    "sc.w %[failed], x0, (%[mine])\n"
	    "slli %[failed], %[failed], 2\n"
	    "or %[result], %[result], %[failed]\n"
	    "sc.w %[failed], x0, (%[shared])\n"
	    "slli %[failed], %[failed], 3\n"
	    "or %[result], %[result], %[failed]\n"
	    /* 4: an AMO in another bank keeps it */
	    "lr.w %[value], (%[mine])\n"
	    "amoadd.w %[failed], %[one], (%[shared])\n"
	    "addi %[value], %[value], 1\n"
	    "sc.w %[failed], %[value], (%[mine])\n"
	    "slli %[failed], %[failed], 4\n"
	    "or %[result], %[result], %[failed]\n"
	    /* 5: in the other direction: moved into the own bank */
	    "lr.w %[value], (%[shared])\n"
	    "lr.w %[value], (%[mine])\n"
	    "sc.w %[failed], x0, (%[shared])\n"
	    "slli %[failed], %[failed], 5\n"
	    "or %[result], %[result], %[failed]\n"
	    /* 6: an AMO in the own bank */
	    "lr.w %[value], (%[shared])\n"
	    "amoadd.w x0, %[one], (%[mine])\n"
	    "addi %[value], %[value], 1\n"
	    "sc.w %[failed], %[value], (%[shared])\n"
	    "slli %[failed], %[failed], 6\n"
	    "or %[result], %[result], %[failed]\n"
	    /* 7: the contested word */
	    "amoadd.w x0, %[one], (%[counted])\n"
	    "lr.w %[value], (%[contested])\n"
	    "addi %[value], %[value], 1\n"
	    "sc.w %[failed], %[value], (%[contested])\n"
	    "slli %[failed], %[failed], 7\n"
	    "or %[result], %[result], %[failed]\n"
	    ".option pop\n"
	    : [result] "+&r"(result), [failed] "=&r"(failed), [value] "=&r"(value)
	    : [delay] "r"(delay), [mine] "r"(mine), [shared] "r"(shared), [one] "r"(1U),
	      [counted] "r"(&counted), [contested] "r"(&contested), [phases] "i"(PHASES)
	    : "memory");
	return result;
}

static void both(void *arg)
{
	const unsigned int self = hart_id();

	(void)arg;
	own = 0U;
	for (uint32_t phase = 0U; phase < 2U * PHASES; phase++) {
		const uint32_t delay = phase % 2U == self ? phase / 2U : 0U;
		uint32_t result;

		barrier_wait(&together, 2U);
		result = sequence(delay, &own, &words[self]);
		failures[self][phase] = result & ((1U << TRIES) - 1U);
		made[self] += (result >> TRIES) == 0U ? 1U : 0U;
	}
	/* Each sequence adds three times in each bank. */
	failures[self][0] |= own == 6U * PHASES ? 0U : 0x100U;
	failures[self][0] |= words[self] == 6U * PHASES ? 0U : 0x200U;
	barrier_wait(&together, 2U);
}

int main(void)
{
	test_begin();
	run_on_all(both);
	hart_wait(1U);
	for (uint32_t hart = 0U; hart < 2U; hart++) {
		for (uint32_t phase = 0U; phase < 2U * PHASES; phase++) {
			CHECK_EQ(failures[hart][phase], FAILURES);
		}
	}
	CHECK_EQ(counted, 4U * PHASES);
	CHECK_EQ(contested, made[0] + made[1]);
	CHECK(made[0] != 0U && made[1] != 0U);
	return test_end();
}
