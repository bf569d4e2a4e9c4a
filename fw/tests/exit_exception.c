/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: an exception nobody handles is reported and ends the run with 64 + mcause
exit: 69
expect_regex: '\ntrapeze: unexpected exception: load access fault, mcause 0x00000005, pc
0x8[0-9a-f]{7}, mtval 0x90000004\n'
*/
#include <stdint.h>

int main(void)
{
	return *(volatile uint8_t *)0x90000004;
}
