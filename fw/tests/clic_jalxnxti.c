/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: jalxnxti falls through if no interrupt qualifies, otherwise it calls handler after handler
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "clic_test.h"

static volatile uint32_t order[8];
static volatile uint32_t count;
static volatile uint32_t ra_seen;
static volatile uint32_t mie_seen;
static volatile uint32_t level_seen;
static volatile uint32_t call_next;

static void note(void)
{
	ra_seen = (uint32_t)__builtin_return_address(0);
	mie_seen = csr_read(CSR_MSTATUS) & MSTATUS_MIE;
	level_seen = irq_level_current();
	order[count & 7U] = csr_read(CSR_MCAUSE) & MCAUSE_CODE;
	count++;
	if (call_next != 0U) {
		uint32_t irq = call_next;

		call_next = 0U;
		clic_raise(irq);
	}
}

/* Executes jalmnxti with ra as given. Returns ra after it, and the address of jalmnxti. */
__attribute__((noinline)) static uint32_t ask(uint32_t *address)
{
	register uint32_t ra __asm__("ra");
	uint32_t here;

	__asm__ volatile("li ra, 0x1234\n\t"
			 ".option push\n\t"
			 ".option norvc\n\t"
			 "j 1f\n"
			 "1:\tcsrrw ra, 0x7ed, ra\n\t"
			 ".option pop\n\t"
			 : "=r"(ra)
			 :
			 : "memory", "t0", "t1", "t2", "a0", "a1", "a2", "a3", "a4", "a5"
#ifndef __riscv_32e
			   ,
			   "a6", "a7", "t3", "t4", "t5", "t6"
#endif
	);
	here = ra;
	*address = ra_seen;
	return here;
}

int main(void)
{
	uint32_t address;

	test_begin();
	clic_setup(false);
	for (unsigned int irq = A; irq < A + SOURCES; irq++) {
		(void)irq_vector_set(irq, note);
	}
	level_become(0U);

	/* No interrupt qualifies: none is pending; none is above the interrupted level; none is above the threshold;
	 * the winner is vectored.
	 */
	CHECK_EQ(ask(&address), 0x1234U);
	clic_raise(A);
	csr_write(CSR_MCAUSE, MCAUSE_MPP | (LEVEL_2 << MCAUSE_MPIL_SHIFT));
	CHECK_EQ(ask(&address), 0x1234U);
	csr_write(CSR_MCAUSE, MCAUSE_MPP);
	(void)irq_threshold_set(LEVEL_2);
	CHECK_EQ(ask(&address), 0x1234U);
	(void)irq_threshold_set(0U);
	irq_vectored_set(A, true);
	CHECK_EQ(ask(&address), 0x1234U);
	irq_vectored_set(A, false);
	(void)irq_vector_set(A, note);
	CHECK_EQ(count, 0U);
	CHECK(irq_is_pending(A));
	CHECK_EQ(csr_read(CSR_MSTATUS) & MSTATUS_MIE, 0U);
	CHECK_EQ(irq_level_current(), 0U);

	/* One interrupt: the handler runs with interrupts enabled, at its level, and returns to jalmnxti itself. */
	uint32_t ra = ask(&address);

	CHECK_EQ(count, 1U);
	CHECK_EQ(order[0], A);
	CHECK_EQ(ra, address);
	CHECK_EQ(*(const uint32_t *)(address & ~3U) == 0x7ed090f3U ||
		     *(const uint16_t *)address == 0x90f3U,
		 1U);
	CHECK_EQ(mie_seen, MSTATUS_MIE);
	CHECK_EQ(level_seen, LEVEL_2);
	CHECK(!irq_is_pending(A));
	CHECK_EQ(csr_read(CSR_MSTATUS) & MSTATUS_MIE, MSTATUS_MIE);
	CHECK_EQ(TEST_CAUSE(csr_read(CSR_MCAUSE)), MCAUSE_INTERRUPT | A);
	(void)irq_lock();
	level_become(0U);

	/* Several interrupts, and one that comes while they are served. */
	count = 0U;
	clic_raise(A);
	clic_raise(B);
	irq_level_set(C, LEVEL_3);
	clic_raise(C);
	call_next = D;
	(void)ask(&address);
	CHECK_EQ(count, 4U);
	CHECK_EQ(order[0], C);
	CHECK_EQ(order[1], D);
	CHECK_EQ(order[2], B);
	CHECK_EQ(order[3], A);
	(void)irq_lock();
	level_become(0U);

	/* Bit 0 of the table's entry is ignored. */
	count = 0U;
	(void)irq_vector_set(A, (irq_vector_t)((uint32_t)note | 1U));
	clic_raise(A);
	(void)ask(&address);
	CHECK_EQ(count, 1U);
	(void)irq_lock();
	level_become(0U);
	CHECK_NO_TRAP();
	return test_end();
}
