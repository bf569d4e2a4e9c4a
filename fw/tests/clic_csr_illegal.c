/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: accesses that the CLIC specification reserves, and every CLIC CSR from user mode, are illegal
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "clic_test.h"

/* Executes one CSR instruction and checks that it is illegal, reports its encoding and keeps rd. */
#define TRY_ILLEGAL(insn)                                                                          \
	do {                                                                                       \
		register uint32_t value_ __asm__("a0") = 0x5a5a5a5aU;                              \
		uint32_t pc_;                                                                      \
		__asm__ volatile("la %1, 1f\n1:\t" insn : "+&r"(value_), "=&r"(pc_) : : "memory"); \
		CHECK_TRAP(MCAUSE_ILLEGAL_INSTRUCTION, pc_, *(const uint32_t *)pc_);               \
		CHECK_EQ(value_, 0x5a5a5a5aU);                                                     \
	} while (0)

static void user_attempts(void)
{
	TRY_ILLEGAL("csrr %0, 0x307");
	TRY_ILLEGAL("csrw 0x307, %0");
	TRY_ILLEGAL("csrr %0, 0x345");
	TRY_ILLEGAL("csrrsi %0, 0x345, 8");
	TRY_ILLEGAL("csrr %0, 0x347");
	TRY_ILLEGAL("csrw 0x347, %0");
	TRY_ILLEGAL("csrrw %0, 0x348, %0");
	TRY_ILLEGAL("csrrw %0, 0x349, %0");
	TRY_ILLEGAL("csrrw %0, 0x7ed, %0");
	TRY_ILLEGAL("csrr %0, 0xfb1");
}

int main(void)
{
	test_begin();
	clic_setup(false);
	csr_write(CSR_MSCRATCH, csr_read(CSR_MSCRATCH)); /* the HAL's, unchanged by all this */
	clic_raise(A);
	uint32_t status = csr_read(CSR_MSTATUS);

	/* mnxti: csrrs, csrrsi and csrrci only, and not with bits 0, 2 or 4 set by csrrsi. */
	TRY_ILLEGAL("csrrw %0, 0x345, %0");
	TRY_ILLEGAL("csrrw x0, 0x345, x0");
	TRY_ILLEGAL("csrrwi %0, 0x345, 8");
	TRY_ILLEGAL("csrrwi %0, 0x345, 0");
	TRY_ILLEGAL("csrrc %0, 0x345, %0");
	TRY_ILLEGAL("csrrc %0, 0x345, x0");
	TRY_ILLEGAL("csrrsi %0, 0x345, 1");
	TRY_ILLEGAL("csrrsi %0, 0x345, 4");
	TRY_ILLEGAL("csrrsi %0, 0x345, 16");
	TRY_ILLEGAL("csrrsi %0, 0x345, 9");
	TRY_ILLEGAL("csrrsi %0, 0x345, 31");

	/* The scratch swaps: csrrw with two registers. */
	TRY_ILLEGAL("csrrw x0, 0x348, %0");
	TRY_ILLEGAL("csrrw %0, 0x348, x0");
	TRY_ILLEGAL("csrr %0, 0x348");
	TRY_ILLEGAL("csrrs %0, 0x348, %0");
	TRY_ILLEGAL("csrrc %0, 0x348, %0");
	TRY_ILLEGAL("csrrwi %0, 0x348, 1");
	TRY_ILLEGAL("csrrsi %0, 0x348, 0");
	TRY_ILLEGAL("csrrci %0, 0x348, 1");
	TRY_ILLEGAL("csrrw x0, 0x349, %0");
	TRY_ILLEGAL("csrrw %0, 0x349, x0");
	TRY_ILLEGAL("csrr %0, 0x349");
	TRY_ILLEGAL("csrrs %0, 0x349, %0");
	TRY_ILLEGAL("csrrc %0, 0x349, %0");
	TRY_ILLEGAL("csrrwi %0, 0x349, 1");
	TRY_ILLEGAL("csrrsi %0, 0x349, 0");
	TRY_ILLEGAL("csrrci %0, 0x349, 1");

	/* jalmnxti: csrrw with the same register twice. */
	TRY_ILLEGAL("csrrw x0, 0x7ed, x0");
	TRY_ILLEGAL("csrrw %0, 0x7ed, x0");
	TRY_ILLEGAL("csrrw %0, 0x7ed, sp");
	TRY_ILLEGAL("csrr %0, 0x7ed");
	TRY_ILLEGAL("csrrs %0, 0x7ed, %0");
	TRY_ILLEGAL("csrrwi %0, 0x7ed, 8");
	TRY_ILLEGAL("csrrsi %0, 0x7ed, 8");

	/* mintstatus is for reading; there is no supervisor and no user view. */
	TRY_ILLEGAL("csrw 0xfb1, %0");
	TRY_ILLEGAL("csrrwi %0, 0xfb1, 0");
	TRY_ILLEGAL("csrrs %0, 0xfb1, sp");
	TRY_ILLEGAL("csrrci %0, 0xfb1, 1");
	TRY_ILLEGAL("csrr %0, 0xcb1");
	TRY_ILLEGAL("csrr %0, 0xdb1");
	TRY_ILLEGAL("csrr %0, 0x145");
	TRY_ILLEGAL("csrr %0, 0x147");
	TRY_ILLEGAL("csrr %0, 0x346");

	/* None of them did anything. */
	CHECK_EQ(csr_read(CSR_MSTATUS) & MSTATUS_MIE, status & MSTATUS_MIE);
	CHECK_EQ(csr_read(CSR_MINTSTATUS), 0U);
	CHECK(irq_is_pending(A));
	irq_pending_set(A, false);
	user_call(user_attempts);
	return test_end();
}
