/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: atomic operations outside memory raise access faults and do not reach devices, and end a reservation
config: [mcu-clint-a, mcu-fastirq-a]
engines: [rtl]
qemu: its devices take atomic operations, and its memory map is another one
expect: |
  PASS
*/
#include <trapeze/clint.h>
#include <trapeze/map.h>

#include "atomic_test.h"

#define HOLE 0x90000000U

static volatile uint32_t word;

static void check_all(uint32_t address)
{
	CHECK_ATOMIC_TRAPS(MCAUSE_LOAD_FAULT, MCAUSE_STORE_FAULT, address);
}

int main(void)
{
	volatile uint32_t *const compare =
	    (volatile uint32_t *)(TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIMECMP_LO_OFFSET);

	test_begin();
	check_all(HOLE);
	check_all(0xfffffffcU);
	check_all(TRAPEZE_UART_BASE);
	check_all(TRAPEZE_HOST_BASE);

	/* The test uses a register that can be read back. It keeps its value. */
	*compare = 0x12345678U;
	check_all((uint32_t)compare);
	CHECK_EQ(*compare, 0x12345678U);

	/* The trap ends the reservation. */
	word = 1U;
	(void)lr(&word);
	CHECK_ATOMIC_TRAP("sc.w a0, a1, (a2)", MCAUSE_STORE_FAULT, HOLE);
	CHECK_EQ(sc(&word, 2U), 1U);
	(void)lr(&word);
	CHECK_ATOMIC_TRAP("lr.w a0, (a2)", MCAUSE_LOAD_FAULT, HOLE);
	CHECK_EQ(sc(&word, 2U), 1U);
	CHECK_EQ(word, 1U);

	/* Two operations in a row: the first one traps, and the second is not executed. */
	uint32_t pc;

	__asm__ volatile("la %0, 1f\n\t"
			 "li a0, 5\n\t"
			 "la t0, trap_resume\n\t"
			 "la t1, 2f\n\t"
			 "sw t1, 0(t0)\n"
			 "1:\tamoadd.w a1, a0, (%1)\n\t"
			 "amoadd.w a1, a0, (%2)\n\t"
			 "sw a0, 0(%2)\n"
			 "2:"
			 : "=&r"(pc)
			 : "r"(HOLE), "r"(&word)
			 : "memory", "a0", "a1", "t0", "t1");
	CHECK_TRAP(MCAUSE_STORE_FAULT, pc, HOLE);
	CHECK_EQ(word, 1U);
	return test_end();
}
