/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: mret to user mode clears MPRV (Privileged Architecture 1.12)
engines: [rtl]
qemu: version 7.2 keeps MPRV
expect: |
  PASS
*/
#include "test.h"

static volatile uint32_t user_value;

static void user_store(void)
{
	user_value = 1U;
}

int main(void)
{
	test_begin();
	csr_write(CSR_MSTATUS, MSTATUS_MPRV | MSTATUS_MPP_M);
	user_call(user_store);
	CHECK_EQ(user_value, 1U);
	CHECK_EQ(csr_read(CSR_MSTATUS) & MSTATUS_MPRV, 0U);
	CHECK_NO_TRAP();
	return test_end();
}
