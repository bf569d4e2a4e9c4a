/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: CSR bits that the specification leaves to Trapeze, and identification
needs: [m, c]
config: [mcu-clint, mcu-clint-e]
engines: [rtl]
qemu: it identifies itself otherwise, and has no platform lines
expect: |
  PASS
*/
#include "test.h"

#define MISA_I (1U << 8)
#define MISA_E (1U << 4)
#ifdef __riscv_atomic
#define MISA_A 1U
#else
#define MISA_A 0U
#endif

static uint32_t after_writing_mtvec(uint32_t value)
{
	uint32_t old = csr_swap(CSR_MTVEC, value);

	return csr_swap(CSR_MTVEC, old);
}

int main(void)
{
	test_begin();

	/* misa: MXL 1; A if the core has it; C, M, U; I or E. Not writable. */
	uint32_t misa = csr_read(CSR_MISA);

	CHECK_EQ(misa >> 30, 1U);
#ifdef __riscv_32e
	CHECK_EQ(misa & (MISA_I | MISA_E), MISA_E);
#else
	CHECK_EQ(misa & (MISA_I | MISA_E), MISA_I);
#endif
	CHECK_EQ(misa & ((1U << 2) | (1U << 12) | (1U << 20)), (1U << 2) | (1U << 12) | (1U << 20));
	CHECK_EQ(misa & ((1U << 0) | (1U << 3) | (1U << 5) | (1U << 18)), MISA_A);
	csr_write(CSR_MISA, 0U);
	CHECK_EQ(csr_read(CSR_MISA), misa);

	/* mie: 16 platform lines, external, timer, software. mip: the same bits, none writable. */
	csr_write(CSR_MIE, UINT32_MAX);
	CHECK_EQ(csr_read(CSR_MIE), 0xffff0888U);
	csr_write(CSR_MIE, 0U);
	CHECK_EQ(csr_read(CSR_MIE), 0U);
	csr_write(CSR_MIP, UINT32_MAX);
	CHECK_EQ(csr_read(CSR_MIP), 0U);

	/* mstatus: SPP, SUM and other fields of supervisor mode do not exist; MPP holds M or U only. */
	csr_write(CSR_MSTATUS, 0xfffffff7U);
	CHECK_EQ(csr_read(CSR_MSTATUS), 0x00221880U);
	csr_write(CSR_MSTATUS, 0x00000800U);
	CHECK_EQ(csr_read(CSR_MSTATUS) & MSTATUS_MPP, MSTATUS_MPP_U);
	csr_write(CSR_MSTATUS, 0x00001000U);
	CHECK_EQ(csr_read(CSR_MSTATUS) & MSTATUS_MPP, MSTATUS_MPP_U);
	csr_write(CSR_MSTATUS, MSTATUS_MPP_M);

	/* mtvec: modes 0 and 1; in vectored mode the base is aligned to 128 bytes. */
	CHECK_EQ(after_writing_mtvec(0x8000017cU | 1U), 0x80000101U);
	CHECK_EQ(after_writing_mtvec(0x80000106U), 0x80000104U);
	CHECK_EQ(after_writing_mtvec(0xffffffffU), 0xffffff81U);

	/* mepc: bit 0 is always zero. ebreak leaves mtval zero. */
	csr_write(CSR_MEPC, UINT32_MAX);
	CHECK_EQ(csr_read(CSR_MEPC), 0xfffffffeU);
	__asm__ volatile("ebreak" : : : "memory");
	CHECK_TRAP(MCAUSE_BREAKPOINT, trap_last.mepc, 0U);

	/* CSRs that QEMU has and this core has not: delegation without supervisor mode, time. */
	(void)csr_read(0x302);
	(void)csr_read(0x303);
	(void)csr_read(CSR_TIME);
	(void)csr_read(CSR_TIMEH);
	CHECK_EQ(trap_last.count, 4U);
	CHECK_EQ(trap_last.mcause, MCAUSE_ILLEGAL_INSTRUCTION);
	trap_clear();

	/* mcause: interrupt bit and five bits of code. */
	csr_write(CSR_MCAUSE, UINT32_MAX);
	CHECK_EQ(csr_read(CSR_MCAUSE), 0x8000001fU);

	/* Counters: there is no time CSR, so no TM bit. The other counters exist and read zero. */
	csr_write(CSR_MCOUNTEREN, UINT32_MAX);
	CHECK_EQ(csr_read(CSR_MCOUNTEREN), MCOUNTEREN_CY | MCOUNTEREN_IR);
	csr_write(CSR_MCOUNTEREN, 0U);
	csr_write(CSR_MCOUNTINHIBIT, UINT32_MAX);
	CHECK_EQ(csr_read(CSR_MCOUNTINHIBIT), MCOUNTINHIBIT_CY | MCOUNTINHIBIT_IR);
	csr_write(CSR_MCOUNTINHIBIT, 0U);
	csr_write(CSR_MHPMCOUNTER3, UINT32_MAX);
	CHECK_EQ(csr_read(CSR_MHPMCOUNTER3), 0U);
	csr_write(CSR_MHPMEVENT3, UINT32_MAX);
	CHECK_EQ(csr_read(CSR_MHPMEVENT3), 0U);
	CHECK_EQ(csr_read(0xB1F), 0U);
	CHECK_EQ(csr_read(0xB9F), 0U);
	CHECK_NO_TRAP();
	return test_end();
}
