/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the edges of every bank and device, and misaligned accesses that cross an edge
engines: [rtl]
qemu: its memory is one block of 4 MiB and its devices lie elsewhere
expect: |
  PASS
*/
#include <trapeze/map.h>

#include "test.h"

static void expect_fault(uint32_t address)
{
	uint32_t value = 0x5a5a5a5aU;

	__asm__ volatile("lw %0, 0(%1)" : "+r"(value) : "r"(address) : "memory");
	CHECK_EQ(trap_last.count, 1U);
	CHECK_EQ(trap_last.mcause, MCAUSE_LOAD_FAULT);
	CHECK_EQ(value, 0x5a5a5a5aU);
	trap_clear();
	__asm__ volatile("sw %0, 0(%1)" : : "r"(value), "r"(address) : "memory");
	CHECK_EQ(trap_last.count, 1U);
	CHECK_EQ(trap_last.mcause, MCAUSE_STORE_FAULT);
	/* The part that faults: the access itself, or its second word. */
	CHECK(trap_last.mtval == address || trap_last.mtval == ((address + 3U) & ~3U));
	trap_clear();
}

static void check_bank(uint32_t base, uint32_t size)
{
	volatile uint32_t *first = (volatile uint32_t *)base;
	volatile uint32_t *last = (volatile uint32_t *)(base + size - 4U);
	uint32_t first_value = *first;
	uint32_t last_value = *last;

	CHECK_NO_TRAP();
	expect_fault(base - 4U);
	expect_fault(base + size);
	for (uint32_t offset = 1U; offset < 4U; offset++) {
		expect_fault(base - 4U + offset);
		expect_fault(base + size - 4U + offset);
	}
	/* A store across the upper edge may have written the part inside: restore it. */
	*first = first_value;
	*last = last_value;
	CHECK_EQ(*first, first_value);
	CHECK_NO_TRAP();
}

static void check_device(uint32_t base, uint32_t size)
{
	expect_fault(base - 4U);
	expect_fault(base + size);
}

int main(void)
{
	test_begin();
	check_bank(TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE);
	check_bank(TRAPEZE_DMEM_BASE, TRAPEZE_DMEM_SIZE);
	/* The upper end of smem holds the stack in use; its lower end is free. */
	expect_fault(TRAPEZE_SMEM_BASE - 4U);
	expect_fault(TRAPEZE_SMEM_BASE - 1U);
	expect_fault(TRAPEZE_SMEM_BASE + TRAPEZE_SMEM_SIZE);
	check_device(TRAPEZE_HOST_BASE, TRAPEZE_HOST_SIZE);
	check_device(TRAPEZE_CLINT_BASE, TRAPEZE_CLINT_SIZE);
	check_device(TRAPEZE_UART_BASE, TRAPEZE_UART_SIZE);
	expect_fault(0U);
	return test_end();
}
