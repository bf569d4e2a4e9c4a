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

static void user_attempts(void)
{
	CHECK_ILLEGAL("csrr %0, 0x307");
	CHECK_ILLEGAL("csrw 0x307, %0");
	CHECK_ILLEGAL("csrr %0, 0x345");
	CHECK_ILLEGAL("csrrsi %0, 0x345, 8");
	CHECK_ILLEGAL("csrr %0, 0x347");
	CHECK_ILLEGAL("csrw 0x347, %0");
	CHECK_ILLEGAL("csrrw %0, 0x348, %0");
	CHECK_ILLEGAL("csrrw %0, 0x349, %0");
	CHECK_ILLEGAL("csrrw %0, 0x7ed, %0");
	CHECK_ILLEGAL("csrr %0, 0xfb1");
}

int main(void)
{
	test_begin();
	clic_setup(false);
	csr_write(CSR_MSCRATCH, csr_read(CSR_MSCRATCH)); /* the HAL's, must not change */
	clic_raise(A);
	uint32_t status = csr_read(CSR_MSTATUS);

	/* mnxti: csrrs, csrrsi and csrrci only, and not with bits 0, 2 or 4 set by csrrsi. */
	CHECK_ILLEGAL("csrrw %0, 0x345, %0");
	CHECK_ILLEGAL("csrrw x0, 0x345, x0");
	CHECK_ILLEGAL("csrrwi %0, 0x345, 8");
	CHECK_ILLEGAL("csrrwi %0, 0x345, 0");
	CHECK_ILLEGAL("csrrc %0, 0x345, %0");
	CHECK_ILLEGAL("csrrc %0, 0x345, x0");
	CHECK_ILLEGAL("csrrsi %0, 0x345, 1");
	CHECK_ILLEGAL("csrrsi %0, 0x345, 4");
	CHECK_ILLEGAL("csrrsi %0, 0x345, 16");
	CHECK_ILLEGAL("csrrsi %0, 0x345, 9");
	CHECK_ILLEGAL("csrrsi %0, 0x345, 31");

	/* The scratch swaps: csrrw with two registers. */
	CHECK_ILLEGAL("csrrw x0, 0x348, %0");
	CHECK_ILLEGAL("csrrw %0, 0x348, x0");
	CHECK_ILLEGAL("csrr %0, 0x348");
	CHECK_ILLEGAL("csrrs %0, 0x348, %0");
	CHECK_ILLEGAL("csrrc %0, 0x348, %0");
	CHECK_ILLEGAL("csrrwi %0, 0x348, 1");
	CHECK_ILLEGAL("csrrsi %0, 0x348, 0");
	CHECK_ILLEGAL("csrrci %0, 0x348, 1");
	CHECK_ILLEGAL("csrrw x0, 0x349, %0");
	CHECK_ILLEGAL("csrrw %0, 0x349, x0");
	CHECK_ILLEGAL("csrr %0, 0x349");
	CHECK_ILLEGAL("csrrs %0, 0x349, %0");
	CHECK_ILLEGAL("csrrc %0, 0x349, %0");
	CHECK_ILLEGAL("csrrwi %0, 0x349, 1");
	CHECK_ILLEGAL("csrrsi %0, 0x349, 0");
	CHECK_ILLEGAL("csrrci %0, 0x349, 1");

	/* jalmnxti: csrrw with the same register twice. */
	CHECK_ILLEGAL("csrrw x0, 0x7ed, x0");
	CHECK_ILLEGAL("csrrw %0, 0x7ed, x0");
	CHECK_ILLEGAL("csrrw %0, 0x7ed, sp");
	CHECK_ILLEGAL("csrr %0, 0x7ed");
	CHECK_ILLEGAL("csrrs %0, 0x7ed, %0");
	CHECK_ILLEGAL("csrrwi %0, 0x7ed, 8");
	CHECK_ILLEGAL("csrrsi %0, 0x7ed, 8");

	/* mintstatus is read-only. CSRs of supervisor mode and of user mode's view do not exist. */
	CHECK_ILLEGAL("csrw 0xfb1, %0");
	CHECK_ILLEGAL("csrrwi %0, 0xfb1, 0");
	CHECK_ILLEGAL("csrrs %0, 0xfb1, sp");
	CHECK_ILLEGAL("csrrci %0, 0xfb1, 1");
	CHECK_ILLEGAL("csrr %0, 0xcb1");
	CHECK_ILLEGAL("csrr %0, 0xdb1");
	CHECK_ILLEGAL("csrr %0, 0x145");
	CHECK_ILLEGAL("csrr %0, 0x147");
	CHECK_ILLEGAL("csrr %0, 0x346");

	/* None of the accesses had an effect. */
	CHECK_EQ(csr_read(CSR_MSTATUS) & MSTATUS_MIE, status & MSTATUS_MIE);
	CHECK_EQ(csr_read(CSR_MINTSTATUS), 0U);
	CHECK(irq_is_pending(A));
	irq_pending_set(A, false);
	user_call(user_attempts);
	return test_end();
}
