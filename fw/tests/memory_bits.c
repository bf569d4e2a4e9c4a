/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: in each memory, also that of code, each bit of a word holds 0 and 1, and each bit of an address selects
  another word
engines: [rtl]
qemu: its memory has no such wires
expect: |
  PASS
*/
#include <trapeze/map.h>

#include "test.h"

/** Checks words in the middle of a memory, which neither the program nor its stack uses. */
static void check_memory(uint32_t base, uint32_t size)
{
	uint32_t middle = base + (size / 2U);

	for (uint32_t bit = 0U; bit < 32U; bit++) {
		volatile uint32_t *word = (volatile uint32_t *)middle + bit;

		*word = 1UL << bit;
		CHECK_EQ(*word, 1UL << bit);
		*word = ~(1UL << bit);
		CHECK_EQ(*word, ~(1UL << bit));
	}
	/* Words whose addresses differ in one bit are different words. */
	*(volatile uint32_t *)middle = 0U;
	for (uint32_t bit = 4U; bit < size / 4U; bit *= 2U) {
		*(volatile uint32_t *)(middle + bit) = bit;
	}
	CHECK_EQ(*(volatile uint32_t *)middle, 0U);
	for (uint32_t bit = 4U; bit < size / 4U; bit *= 2U) {
		CHECK_EQ(*(volatile uint32_t *)(middle + bit), bit);
	}
}

int main(void)
{
	test_begin();
	check_memory(TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE);
	check_memory(TRAPEZE_DMEM_BASE, TRAPEZE_DMEM_SIZE);
	check_memory(TRAPEZE_SMEM_BASE, TRAPEZE_SMEM_SIZE / 2U);
	return test_end();
}
