/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: without fastirq neither emret nor mfastirq exists
config: [mcu-clint, mcu-clint-e, mcu-clic, mcu-clic-e]
expect: |
  PASS
*/
#include "test.h"

int main(void)
{
	test_begin();
	CHECK_ILLEGAL(TRAPEZE_EMRET);
	CHECK_ILLEGAL("csrr %0, 0x7c0");
	CHECK_ILLEGAL("csrw 0x7c0, %0");
	CHECK_ILLEGAL("csrrwi %0, 0x7c0, 1");
	CHECK_ILLEGAL("csrrs %0, 0x7c0, x0");
	CHECK_ILLEGAL("csrr %0, 0x7c1");
	CHECK_ILLEGAL("csrw 0x7c1, %0");
	return test_end();
}
