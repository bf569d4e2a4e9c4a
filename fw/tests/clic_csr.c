/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: CSRs with the CLIC, reset values, legal values, mcause and mstatus mirror each other
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "clic_test.h"

#define NUM_SOURCES 64U

#define MIRRORED (MSTATUS_MPP | MSTATUS_MPIE)

/* Writes a value and reads it back; leaves the old one. */
#define AFTER_WRITING(csr, value)                                                                  \
	__extension__({                                                                            \
		uint32_t old_ = csr_swap(csr, value);                                              \
		csr_swap(csr, old_);                                                               \
	})

int main(void)
{
	/* Levels are 0 outside of handlers from reset on. */
	CHECK_EQ(csr_read(CSR_MINTSTATUS), 0U);
	CHECK_EQ(csr_read(CSR_MCAUSE) & MCAUSE_MPIL, 0U);
	CHECK_EQ(csr_read(CSR_MINTTHRESH), 0U);
	test_begin();

	/* mtvec: mode 3, submode 0, a base of 64 bytes. */
	CHECK_EQ(csr_read(CSR_MTVEC) & 63U, MTVEC_MODE_CLIC);
	CHECK_EQ(AFTER_WRITING(CSR_MTVEC, UINT32_MAX), 0xffffffc3U);
	CHECK_EQ(AFTER_WRITING(CSR_MTVEC, 0U), MTVEC_MODE_CLIC);
	CHECK_EQ(AFTER_WRITING(CSR_MTVEC, 0x80000040U), 0x80000043U);
	CHECK_EQ(AFTER_WRITING(CSR_MTVEC, 0x80000041U), 0x80000043U);
	CHECK_EQ(AFTER_WRITING(CSR_MTVEC, 0x80000042U), 0x80000043U);
	CHECK_EQ(AFTER_WRITING(CSR_MTVEC, 0x80000043U), 0x80000043U);
	CHECK_EQ(AFTER_WRITING(CSR_MTVEC, 0x8000007fU), 0x80000043U);

	/* mtvt: aligned to the table. */
	CHECK_EQ(AFTER_WRITING(CSR_MTVT, UINT32_MAX), ~(4U * NUM_SOURCES - 1U));
	CHECK_EQ(AFTER_WRITING(CSR_MTVT, 0U), 0U);
	CHECK_EQ(AFTER_WRITING(CSR_MTVT, 0x80100300U), 0x80100300U);

	/* mintthresh: eight bits. mintstatus: not for writing. */
	CHECK_EQ(AFTER_WRITING(CSR_MINTTHRESH, UINT32_MAX), 255U);
	CHECK_EQ(AFTER_WRITING(CSR_MINTTHRESH, 0x5aU), 0x5aU);
	csr_write(CSR_MINTTHRESH, 0x0fU);
	csr_set(CSR_MINTTHRESH, 0xf0U);
	csr_clear(CSR_MINTTHRESH, 0x81U);
	CHECK_EQ(csr_read(CSR_MINTTHRESH), 0x7eU);
	csr_write(CSR_MINTTHRESH, 0U);

	/* mie and mip: zero, writes ignored. */
	CHECK_EQ(AFTER_WRITING(CSR_MIE, UINT32_MAX), 0U);
	CHECK_EQ(AFTER_WRITING(CSR_MIP, UINT32_MAX), 0U);
	irq_software_set(true);
	settle();
	CHECK_EQ(csr_read(CSR_MIP), 0U);
	CHECK(irq_is_pending(IRQ_SOFTWARE));
	irq_software_set(false);

	/* mcause: interrupt, minhv, mpp, mpie, mpil, code. */
	CHECK_EQ(AFTER_WRITING(CSR_MCAUSE, UINT32_MAX), 0xf8ff0fffU);
	CHECK_EQ(AFTER_WRITING(CSR_MCAUSE, 0U), 0U);
	CHECK_EQ(AFTER_WRITING(CSR_MCAUSE, 0xb85a0abcU), 0xb85a0abcU);
	/* mpp holds M or U. */
	CHECK_EQ(AFTER_WRITING(CSR_MCAUSE, 0x10000000U), 0U);
	CHECK_EQ(AFTER_WRITING(CSR_MCAUSE, 0x20000000U), 0U);

	/* Writing one shows in the other. */
	csr_write(CSR_MCAUSE, 0U);
	CHECK_EQ(csr_read(CSR_MSTATUS) & MIRRORED, 0U);
	csr_write(CSR_MCAUSE, MCAUSE_MPP);
	CHECK_EQ(csr_read(CSR_MSTATUS) & MIRRORED, MSTATUS_MPP_M);
	csr_write(CSR_MCAUSE, MCAUSE_MPIE);
	CHECK_EQ(csr_read(CSR_MSTATUS) & MIRRORED, MSTATUS_MPIE);
	csr_write(CSR_MSTATUS, 0U);
	CHECK_EQ(csr_read(CSR_MCAUSE), 0U);
	csr_write(CSR_MSTATUS, MSTATUS_MPIE);
	CHECK_EQ(csr_read(CSR_MCAUSE), MCAUSE_MPIE);
	csr_write(CSR_MSTATUS, MSTATUS_MPP_M);
	CHECK_EQ(csr_read(CSR_MCAUSE), MCAUSE_MPP);
	csr_set(CSR_MCAUSE, MCAUSE_MPIE | 5U);
	CHECK_EQ(csr_read(CSR_MSTATUS) & MIRRORED, MSTATUS_MPP_M | MSTATUS_MPIE);
	csr_clear(CSR_MCAUSE, MCAUSE_MPP);
	CHECK_EQ(csr_read(CSR_MSTATUS) & MIRRORED, MSTATUS_MPIE);
	CHECK_EQ(csr_read(CSR_MCAUSE), MCAUSE_MPIE | 5U);

	/* A trap writes the whole of it: an exception keeps the level. */
	csr_write(CSR_MCAUSE, 0x40ff0fffU);
	csr_write(CSR_MSTATUS, 0U);
	__asm__ volatile("ecall" : : : "memory");
	CHECK_EQ(trap_last.mcause_all, MCAUSE_MPP | MCAUSE_ECALL_M);
	csr_set(CSR_MSTATUS, MSTATUS_MIE);
	__asm__ volatile("ecall" : : : "memory");
	CHECK_EQ(trap_last.mcause_all, MCAUSE_MPP | MCAUSE_MPIE | MCAUSE_ECALL_M);
	(void)irq_lock();
	level_become(77U);
	CHECK_EQ(csr_read(CSR_MINTSTATUS), 77U << MINTSTATUS_MIL_SHIFT);
	CHECK_EQ(csr_read(CSR_MCAUSE) & MCAUSE_MPIL, 77U << MCAUSE_MPIL_SHIFT);
	__asm__ volatile("ecall" : : : "memory");
	CHECK_EQ(trap_last.mcause_all, MCAUSE_MPP | (77U << MCAUSE_MPIL_SHIFT) | MCAUSE_ECALL_M);
	CHECK_EQ(csr_read(CSR_MINTSTATUS), 77U << MINTSTATUS_MIL_SHIFT);
	level_become(0U);
	CHECK_EQ(csr_read(CSR_MINTSTATUS), 0U);
	return test_end();
}
