/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: reset values and legal values of every machine CSR, by the six access instructions
needs: [c]
config: [mcu-clint, mcu-clint-e]
expect: |
  PASS
*/
#include "test.h"

/* Writes all ones and all zeros and checks which bits can be set and cleared. Restores the old value. */
#define CHECK_BITS(csr, ones, zeros)                                                               \
	do {                                                                                       \
		uint32_t old_ = csr_read(csr);                                                     \
		csr_write(csr, UINT32_MAX);                                                        \
		uint32_t set_ = csr_read(csr);                                                     \
		csr_write(csr, 0U);                                                                \
		uint32_t clear_ = csr_read(csr);                                                   \
		csr_write(csr, old_);                                                              \
		CHECK_EQ(set_, ones);                                                              \
		CHECK_EQ(clear_, zeros);                                                           \
		CHECK_EQ(csr_read(csr), old_);                                                     \
	} while (0)

static void check_access_forms(void)
{
	uint32_t a = 0xf0f0f0f0U;
	uint32_t b;

	/* mtval: 32 bits without side effects. rd and rs1 are the same register in one of them. */
	__asm__ volatile("csrrw x0, mtval, %0" : : "r"(a));
	__asm__ volatile("csrrw %0, mtval, %0" : "+r"(a));
	CHECK_EQ(a, 0xf0f0f0f0U);
	__asm__ volatile("csrrs %0, mtval, %1" : "=r"(b) : "r"(0x0000ffffU));
	CHECK_EQ(b, 0xf0f0f0f0U);
	__asm__ volatile("csrrc %0, mtval, %1" : "=r"(b) : "r"(0xff000000U));
	CHECK_EQ(b, 0xf0f0ffffU);
	__asm__ volatile("csrrwi %0, mtval, 21" : "=r"(b));
	CHECK_EQ(b, 0x00f0ffffU);
	__asm__ volatile("csrrsi %0, mtval, 10" : "=r"(b));
	CHECK_EQ(b, 21U);
	__asm__ volatile("csrrci %0, mtval, 24" : "=r"(b));
	CHECK_EQ(b, 31U);
	__asm__ volatile("csrrs %0, mtval, x0" : "=r"(b));
	CHECK_EQ(b, 7U);

	/* Accesses in a row, each of which uses the result of the one before. */
	__asm__ volatile("csrwi mtval, 1\n\t"
			 "csrsi mtval, 4\n\t"
			 "csrr %0, mtval\n\t"
			 "csrw mtval, %0\n\t"
			 "csrs mtval, %1\n\t"
			 "csrr %0, mtval"
			 : "=&r"(b)
			 : "r"(0x80000000U));
	CHECK_EQ(b, 0x80000005U);
}

int main(void)
{
	test_begin();

	CHECK_EQ(csr_read(CSR_MHARTID), TEST_HART_ID);
	CHECK_EQ(csr_read(CSR_MCONFIGPTR), 0U);
	CHECK_EQ(csr_read(CSR_MSTATUSH), 0U);
	CHECK_BITS(CSR_MSCRATCH, 0xffffffffU, 0U);
	csr_write(CSR_MEPC, 0xfffffffeU);
	CHECK_EQ(csr_read(CSR_MEPC), 0xfffffffeU);
	csr_write(CSR_MEPC, 0U);
	CHECK_EQ(csr_read(CSR_MEPC), 0U);
	CHECK_BITS(CSR_MTVAL, 0xffffffffU, 0U);

	/* mstatus: MIE, MPIE, MPP (M or U), MPRV, TW; the rest reads zero. */
	csr_write(CSR_MSTATUS, MSTATUS_MPP_M | MSTATUS_MPIE);
	CHECK_EQ(csr_read(CSR_MSTATUS), MSTATUS_MPP_M | MSTATUS_MPIE);
	csr_write(CSR_MSTATUS, 0U);
	CHECK_EQ(csr_read(CSR_MSTATUS), 0U);
	csr_write(CSR_MSTATUS, MSTATUS_MPP_M | MSTATUS_TW);
	CHECK_EQ(csr_read(CSR_MSTATUS), MSTATUS_MPP_M | MSTATUS_TW);
	csr_write(CSR_MSTATUS, MSTATUS_MPP_M | MSTATUS_MPRV);
	CHECK_EQ(csr_read(CSR_MSTATUS), MSTATUS_MPP_M | MSTATUS_MPRV);
	csr_write(CSR_MSTATUS, MSTATUS_MPP_M);

	/* mtvec: direct mode accepts every 4-byte aligned base. */
	uint32_t mtvec = csr_read(CSR_MTVEC);

	CHECK_EQ(mtvec & 3U, MTVEC_MODE_VECTORED);
	csr_write(CSR_MTVEC, 0x80000104U);
	CHECK_EQ(csr_read(CSR_MTVEC), 0x80000104U);
	csr_write(CSR_MTVEC, 0x80000180U | MTVEC_MODE_VECTORED);
	CHECK_EQ(csr_read(CSR_MTVEC), 0x80000180U | MTVEC_MODE_VECTORED);
	csr_write(CSR_MTVEC, mtvec);

	/* mcause: the codes that exist. */
	uint32_t mcause = csr_read(CSR_MCAUSE);

	csr_write(CSR_MCAUSE, MCAUSE_INTERRUPT | 11U);
	CHECK_EQ(csr_read(CSR_MCAUSE), MCAUSE_INTERRUPT | 11U);
	csr_write(CSR_MCAUSE, 7U);
	CHECK_EQ(csr_read(CSR_MCAUSE), 7U);
	csr_write(CSR_MCAUSE, mcause);

	/* mcounteren: CY and IR can be set. */
	csr_write(CSR_MCOUNTEREN, 5U);
	CHECK_EQ(csr_read(CSR_MCOUNTEREN), 5U);
	csr_write(CSR_MCOUNTEREN, 0U);
	CHECK_EQ(csr_read(CSR_MCOUNTEREN), 0U);

	check_access_forms();
	CHECK_NO_TRAP();
	return test_end();
}
