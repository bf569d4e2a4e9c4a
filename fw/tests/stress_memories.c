/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the stress generator delays loads from the memory that it reads, and from no other
config: [mcu-fastirq]
engines: [rtl]
qemu: it has no such device
expect: |
  PASS
*/
#include <trapeze/csr.h>

#include "probe_test.h"

/* Cycles of loads from a word. */
__attribute__((noinline)) static uint32_t loads(uint32_t address)
{
	uint32_t start = (uint32_t)csr_read(CSR_MCYCLE);

	for (uint32_t i = 0U; i < 64U; i++) {
		(void)*(volatile uint32_t *)address;
	}
	return (uint32_t)csr_read(CSR_MCYCLE) - start;
}

/* The generator delays loads from the data memory that it reads, in both halves, and not from the other data memory. */
static void check_memories(void)
{
	static const uint32_t memories[] = {TRAPEZE_DMEM_BASE + (TRAPEZE_DMEM_SIZE / 2U),
					    TRAPEZE_SMEM_BASE + (TRAPEZE_SMEM_SIZE / 2U)};
	uint32_t undisturbed = loads(memories[0]);

	/* If the memories have wait states of their own the times cannot be compared. */
	if (loads(memories[0]) != undisturbed || loads(memories[1]) != undisturbed) {
		return;
	}
	for (uint32_t i = 0U; i < 8U; i++) {
		uint32_t read = i & 1U;
		uint32_t loaded = (i >> 1) & 1U;

		put(STRESS(BANKS), 2UL << read);
		put(STRESS(RATE), 128U);

		uint32_t cycles = loads(memories[loaded] + (4U * (i >> 2)));

		put(STRESS(RATE), 0U);
		CHECK((cycles > undisturbed + 16U) == (read == loaded));
	}
}

int main(void)
{
	test_begin();
	check_memories();
	CHECK_NO_TRAP();
	return test_end();
}
