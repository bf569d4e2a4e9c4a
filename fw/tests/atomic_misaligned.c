/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a load-reserved, a store-conditional and every AMO at a misaligned address traps and changes nothing
config: [mcu-clint-a, mcu-fastirq-a]
engines: [rtl]
qemu: an AMO raises cause 4 there instead of 6, and a store-conditional to an address that is not reserved only fails
expect: |
  PASS
*/
#include "atomic_test.h"

#define LOAD_MISALIGNED  4U
#define STORE_MISALIGNED 6U

static volatile uint32_t words[3];

static void check_all(uint32_t offset)
{
	CHECK_ATOMIC_TRAPS(LOAD_MISALIGNED, STORE_MISALIGNED, (uint32_t)words + offset);
}

/* The instruction uses an address that has just been loaded. */
static void check_loaded(uint32_t offset)
{
	uint32_t pc;

	words[2] = (uint32_t)words + offset;
	__asm__ volatile("la %0, 1f\n\t"
			 "lw a2, 8(%1)\n"
			 "1:\tamoadd.w a0, a1, (a2)"
			 : "=&r"(pc)
			 : "r"(words)
			 : "memory", "a0", "a2");
	CHECK_TRAP(STORE_MISALIGNED, pc, (uint32_t)words + offset);
	/* lhu moves the half-word on the bus to the lower half of the register. The other half-word of the loaded word
	 * must not count. The resulting address is outside of memory.
	 */
	words[2] = ((uint32_t)words << 16) | offset;
	__asm__ volatile("la %0, 1f\n\t"
			 "lhu a2, 10(%1)\n"
			 "1:\tlr.w a0, (a2)"
			 : "=&r"(pc)
			 : "r"(words)
			 : "memory", "a0", "a2");
	CHECK_TRAP(MCAUSE_LOAD_FAULT, pc, (uint32_t)words & 0xffffU);
}

int main(void)
{
	test_begin();
	for (uint32_t offset = 1; offset < 4U; offset++) {
		words[0] = 0x11111111U;
		words[1] = 0x22222222U;
		check_all(offset);
		check_loaded(offset);
		/* With a reservation. The trap ends it. */
		(void)lr(&words[0]);
		CHECK_ATOMIC_TRAP("sc.w a0, a1, (a2)", STORE_MISALIGNED, (uint32_t)words + offset);
		CHECK_EQ(sc(&words[0], 0xbadU), 1U);
		CHECK_EQ(words[0], 0x11111111U);
		CHECK_EQ(words[1], 0x22222222U);
	}
	return test_end();
}
