/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a failed fetch of a table entry sets minhv, and mret with minhv goes through the table again
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "clic_test.h"

#define HOLE 0x90000000U

/* A vectored handler. It goes on at `go_on` instead of returning, because mepc of the interrupted code is lost by then.
 */
__attribute__((used)) static volatile uint32_t reached;
__attribute__((used)) static volatile uint32_t reached_level;
__attribute__((used)) static volatile uint32_t reached_cause;
__attribute__((used)) static uint32_t go_on;
/* clang-format off */
__asm__(".text\n"
	".balign 4\n"
	".globl landing\n"
	"landing:\n"
	"	la t0, reached\n"
	"	lw t1, 0(t0)\n"
	"	addi t1, t1, 1\n"
	"	sw t1, 0(t0)\n"
	"	la t0, reached_level\n"
	"	csrr t1, 0xfb1\n"
	"	sw t1, 0(t0)\n"
	"	la t0, reached_cause\n"
	"	csrr t1, mcause\n"
	"	sw t1, 0(t0)\n"
	"	la t0, go_on\n"
	"	lw t0, 0(t0)\n"
	"	csrw mepc, t0\n"
	"	li t0, 0x30000000\n"	/* machine mode, level 0, locked */
	"	csrw mcause, t0\n"
	"	mret\n");
/* clang-format on */
void landing(void);

static irq_vector_t spare[2] = {landing, landing};

static uint32_t good_table;
static uint32_t repaired_epc;
static volatile uint32_t handler_level;
static volatile uint32_t faults;

/* Repairs the table. mret then fetches the entry again. */
static bool mend(struct trap_frame *frame)
{
	if (TEST_CAUSE(frame->mcause) != MCAUSE_FETCH_FAULT) {
		return false;
	}
	faults++;
	trap_last.mcause_all = frame->mcause;
	trap_last.mepc = frame->mepc;
	trap_last.mtval = frame->mtval;
	handler_level = irq_level_current();
	csr_write(CSR_MTVT, good_table);
	frame->mepc = repaired_epc;
	return true;
}

/* Makes A pending and waits for it. The handler goes on at label 1. */
__attribute__((noinline)) static void take(void)
{
	__asm__ volatile("la t0, go_on\n\t"
			 "la t1, 1f\n\t"
			 "sw t1, 0(t0)\n\t"
			 "csrsi mstatus, 8\n\t"
			 "nop\n\tnop\n\tnop\n\tnop\n"
			 "1:"
			 :
			 :
			 : TEST_CALL_CLOBBERS);
}

/* mret with minhv and mepc as given, to machine or user mode. */
__attribute__((noinline)) static void return_through(uint32_t entry, uint32_t mode)
{
	__asm__ volatile("la t0, go_on\n\t"
			 "la t1, 1f\n\t"
			 "sw t1, 0(t0)\n\t"
			 "csrw mepc, %0\n\t"
			 "csrw mcause, %1\n\t"
			 "mret\n"
			 "1:"
			 :
			 : "r"(entry), "r"(MCAUSE_MINHV | mode)
			 : TEST_CALL_CLOBBERS);
}

int main(void)
{
	test_begin();
	good_table = csr_read(CSR_MTVT);
	clic_setup(true);
	(void)irq_vector_set(A, landing);
	(void)trap_set_handler(mend);

	/* Without a fault minhv stays clear. Bit 0 of the entry is ignored. */
	clic_raise(A);
	take();
	CHECK_EQ(reached, 1U);
	CHECK_EQ(reached_cause, MCAUSE_INTERRUPT | MCAUSE_MPP | MCAUSE_MPIE | A);
	(void)irq_vector_set(A, (irq_vector_t)((uint32_t)landing | 1U));
	clic_raise(A);
	take();
	CHECK_EQ(reached, 2U);
	CHECK_EQ(faults, 0U);

	/* A table in a hole of the memory map. After the repair mret fetches the entry that mepc names, and ignores its
	 * low bits.
	 */
	for (uint32_t low = 0; low < 4U; low++) {
		clic_raise(A);
		csr_write(CSR_MTVT, HOLE);
		repaired_epc = (uint32_t)&spare[0] | low;
		reached_cause = 0U;
		take();
		CHECK_EQ(faults, low + 1U);
		CHECK_EQ(trap_last.mepc, HOLE + (4U * A));
		CHECK(trap_last.mtval == 0U || trap_last.mtval == HOLE + (4U * A));
		CHECK_EQ(trap_last.mcause_all, MCAUSE_MINHV | MCAUSE_MPP |
						   (LEVEL_2 << MCAUSE_MPIL_SHIFT) |
						   MCAUSE_FETCH_FAULT);
		CHECK_EQ(handler_level, LEVEL_2);
		CHECK_EQ(reached, 3U + low);
		CHECK_EQ(reached_level, (uint32_t)LEVEL_2 << MINTSTATUS_MIL_SHIFT);
		CHECK(!irq_is_pending(A)); /* A was claimed before the fetch, and only once */
	}

	/* The fetch at mret can fail, too. */
	faults = 0U;
	csr_write(CSR_MTVT, good_table);
	repaired_epc = (uint32_t)&spare[1];
	return_through(HOLE + 0x102U, MCAUSE_MPP);
	CHECK_EQ(faults, 1U);
	CHECK_EQ(trap_last.mepc & ~3U, HOLE + 0x100U);
	CHECK_EQ(trap_last.mcause_all & (MCAUSE_MINHV | MCAUSE_MPP), MCAUSE_MINHV | MCAUSE_MPP);
	CHECK_EQ(reached, 7U);

	/* Software may set minhv for itself. */
	return_through((uint32_t)&spare[1] + 3U, MCAUSE_MPP);
	CHECK_EQ(reached, 8U);
	CHECK_EQ(faults, 1U);

	/* Any other exception clears minhv. */
	(void)trap_set_handler(test_trap_handler);
	csr_set(CSR_MCAUSE, MCAUSE_MINHV);
	__asm__ volatile("ecall" : : : "memory");
	CHECK_EQ(trap_last.mcause_all & MCAUSE_MINHV, 0U);
	return test_end();
}
