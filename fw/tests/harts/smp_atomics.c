/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: every AMO, and reservations by each bit of an address, in each bank of each hart
config: [duo]
engines: [rtl]
qemu: its harts have no banks of their own
expect: |
  PASS
*/
#include <trapeze/map.h>
#include <trapeze/stress.h>

#include "atomic_test.h"
#include "on_all.h"

static const uint32_t values[] = {0x00000000U, 0x55555555U, 0x7fffffffU,
				  0x80000000U, 0xaaaaaaaaU, 0xffffffffU};

#define APART  64U /* bytes between the words of the harts */
#define VALUES (sizeof(values) / sizeof(values[0]))

TZ_SHARED static volatile uint32_t wrong[2];

static void expect_equal(uint32_t value, uint32_t expected)
{
	if (value != expected) {
		wrong[hart_id()]++;
	}
}

#define TRY(insn, at, old, operand, expected)                                                      \
	do {                                                                                       \
		*(at) = (old);                                                                     \
		expect_equal(AMO(insn, at, operand), old);                                         \
		expect_equal(*(at), expected);                                                     \
	} while (0)

static void amos(volatile uint32_t *at)
{
	for (uint32_t i = 0U; i < VALUES * VALUES; i++) {
		uint32_t a = values[i / VALUES];
		uint32_t b = values[i % VALUES];

		TRY("amoswap.w", at, a, b, b);
		TRY("amoadd.w", at, a, b, a + b);
		TRY("amoxor.w", at, a, b, a ^ b);
		TRY("amoand.w", at, a, b, a & b);
		TRY("amoor.w", at, a, b, a | b);
		TRY("amomin.w", at, a, b, (int32_t)a < (int32_t)b ? a : b);
		TRY("amomax.w", at, a, b, (int32_t)a < (int32_t)b ? b : a);
		TRY("amominu.w", at, a, b, a < b ? a : b);
		TRY("amomaxu.w", at, a, b, a < b ? b : a);
	}
	/* A carry, and the old value, from each bit. */
	for (uint32_t bit = 0U; bit < 32U; bit++) {
		TRY("amoadd.w", at, 1UL << bit, 1UL << bit, 2UL << bit);
		TRY("amominu.w", at, 1UL << bit, (1UL << bit) - 1U, (1UL << bit) - 1U);
		TRY("amominu.w", at, (1UL << bit) - 1U, 1UL << bit, (1UL << bit) - 1U);
	}
}

/* An AMO is followed at once by a store to its word, and then by the AMO of the next word. */
static void follow(volatile uint32_t *at)
{
	uint32_t first;
	uint32_t second;

	at[0] = 1U;
	at[2] = 0xff00ff00U;
	__asm__ volatile("amoadd.w %0, %3, (%2)\n\t"
			 "sb zero, 9(%2)\n\t"
			 "amoadd.w %1, %3, (%2)\n\t"
			 "lw %1, 8(%2)"
			 : "=&r"(first), "=&r"(second)
			 : "r"(at), "r"(6U)
			 : "memory");
	expect_equal(first, 1U);
	expect_equal(second, 0xff000000U);
	expect_equal(at[0], 13U);
}

/* Two words whose addresses differ in one bit. A store to the other word keeps the reservation, and an SC to the other
 * word fails. The other word keeps its value, because it may belong to the program.
 */
static void reservations(volatile uint32_t *at, uint32_t size)
{
	for (uint32_t bit = 4U; bit < size; bit *= 2U) {
		volatile uint32_t *other = (volatile uint32_t *)((uint32_t)at ^ bit);
		uint32_t kept = *other;

		if (bit == APART) {
			continue; /* in the shared memory that word belongs to the other hart */
		}

		(void)lr(at);
		*other = kept;
		expect_equal(sc(at, bit), 0U);
		(void)lr(at);
		expect_equal(sc(other, kept), 1U);
		expect_equal(sc(at, 0U), 1U);
		expect_equal(*at, bit);
		(void)lr(other);
		(void)lr(at);
		expect_equal(sc(other, kept), 1U);
		(void)lr(at);
		(void)AMO("amoor.w", other, 0U);
		expect_equal(sc(at, 0U), 0U);
	}
	(void)lr(at);
	*at = 3U;
	expect_equal(sc(at, 4U), 1U);
	(void)lr(at);
	(void)AMO("amoor.w", at, 4U);
	expect_equal(sc(at, 5U), 1U);
	(void)lr(at);
	expect_equal(sc(at, 6U), 0U);
	expect_equal(sc(at, 8U), 1U);
	expect_equal(*at, 6U);
}

static void each(void *arg)
{
	/* Both halves of interleaved banks. The middle of each memory is free. */
	static const struct {
		uint32_t base;
		uint32_t size;
	} banks[] = {
	    {TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE},      {TRAPEZE_DMEM_BASE, TRAPEZE_DMEM_SIZE},
	    {TRAPEZE_DMEM_BASE + 4U, TRAPEZE_DMEM_SIZE}, {TRAPEZE_SMEM_BASE, TRAPEZE_SMEM_SIZE},
	    {TRAPEZE_SMEM_BASE + 4U, TRAPEZE_SMEM_SIZE}, {TRAPEZE_SHMEM_BASE, TRAPEZE_SHMEM_SIZE},
	};

	(void)arg;
	for (uint32_t i = 0U; i < sizeof(banks) / sizeof(banks[0]); i++) {
		volatile uint32_t *at = (volatile uint32_t *)(banks[i].base + (banks[i].size / 2U) +
							      (APART * hart_id()));

		amos(at);
		follow(at);
		reservations(at, banks[i].size);
	}
}

int main(void)
{
	test_begin();
	/* The stress generator reads every memory meanwhile, so that the write of an AMO sometimes has to wait for its
	 * bank.
	 */
	*(volatile uint32_t *)(TRAPEZE_PROBE_STRESS_BASE + TRAPEZE_STRESS_BANKS_OFFSET) = 7U;
	*(volatile uint32_t *)(TRAPEZE_PROBE_STRESS_BASE + TRAPEZE_STRESS_RATE_OFFSET) = 64U;
	run_on_all(each);
	hart_wait(1U);
	CHECK_EQ(wrong[0], 0U);
	CHECK_EQ(wrong[1], 0U);
	CHECK_NO_TRAP();
	return test_end();
}
