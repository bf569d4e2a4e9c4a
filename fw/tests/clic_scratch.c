/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: mscratchcsw swaps by privilege mode, mscratchcswl by level, both ways
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "clic_test.h"

#define SCRATCH 0x11112222U
#define VALUE   0x33334444U

struct swap {
	uint32_t rd;
	uint32_t mscratch;
};

/* Not inlined: mscratch belongs to the HAL and has to be restored before an exception can come. */
#define SWAP(name, insn)                                                                           \
	__attribute__((noinline)) static struct swap name(void)                                    \
	{                                                                                          \
		struct swap seen = {VALUE, SCRATCH};                                               \
		uint32_t given;                                                                    \
		__asm__ volatile("csrrw %2, mscratch, %1\n\t" insn "\n\t"                          \
				 "csrrw %1, mscratch, %2"                                          \
				 : "+&r"(seen.rd), "+&r"(seen.mscratch), "=&r"(given)              \
				 :                                                                 \
				 : "memory");                                                      \
		return seen;                                                                       \
	}

SWAP(swap_mode, "csrrw %0, 0x348, %0")
SWAP(swap_level, "csrrw %0, 0x349, %0")

/* With two different registers rs1 keeps its value. */
__attribute__((noinline)) static uint32_t swap_mode_two(uint32_t *kept)
{
	uint32_t given;
	uint32_t rd;
	uint32_t rs1 = VALUE;

	__asm__ volatile("csrrw %0, mscratch, %3\n\t"
			 "csrrw %1, 0x348, %2\n\t"
			 "csrrw x0, mscratch, %0"
			 : "=&r"(given), "=&r"(rd), "+&r"(rs1)
			 : "r"(SCRATCH)
			 : "memory");
	*kept = rs1;
	return rd;
}

static void check_swapped(struct swap seen)
{
	CHECK_EQ(seen.rd, SCRATCH);
	CHECK_EQ(seen.mscratch, VALUE);
}

static void check_kept(struct swap seen)
{
	CHECK_EQ(seen.rd, VALUE);
	CHECK_EQ(seen.mscratch, SCRATCH);
}

int main(void)
{
	uint32_t kept;

	test_begin();

	/* From machine mode: no swap. From user mode: a swap. */
	csr_write(CSR_MSTATUS, MSTATUS_MPP_M);
	check_kept(swap_mode());
	CHECK_EQ(swap_mode_two(&kept), VALUE);
	CHECK_EQ(kept, VALUE);
	csr_write(CSR_MSTATUS, MSTATUS_MPP_U);
	check_swapped(swap_mode());
	CHECK_EQ(swap_mode_two(&kept), SCRATCH);
	CHECK_EQ(kept, VALUE);
	csr_write(CSR_MCAUSE, MCAUSE_MPP); /* the mirror counts as well */
	check_kept(swap_mode());

	/* Between level 0 and a handler's level, in either direction: a swap. Between two handlers, or at level 0
	 * alone: none.
	 */
	level_become(0U);
	csr_write(CSR_MCAUSE, MCAUSE_MPP);
	check_kept(swap_level());
	csr_write(CSR_MCAUSE, MCAUSE_MPP | (1U << MCAUSE_MPIL_SHIFT));
	check_swapped(swap_level());
	csr_write(CSR_MCAUSE, MCAUSE_MPP | (128U << MCAUSE_MPIL_SHIFT));
	check_swapped(swap_level());
	level_become(5U);
	csr_write(CSR_MCAUSE, MCAUSE_MPP);
	check_swapped(swap_level());
	csr_write(CSR_MCAUSE, MCAUSE_MPP | (128U << MCAUSE_MPIL_SHIFT));
	check_kept(swap_level());
	csr_write(CSR_MCAUSE, MCAUSE_MPP | (5U << MCAUSE_MPIL_SHIFT));
	check_kept(swap_level());

	/* The swap by level ignores the mode, and the swap by mode ignores the level. */
	csr_write(CSR_MCAUSE, 5U << MCAUSE_MPIL_SHIFT);
	check_kept(swap_level());
	csr_write(CSR_MCAUSE, MCAUSE_MPP);
	check_kept(swap_mode());
	level_become(0U);
	CHECK_NO_TRAP();
	return test_end();
}
