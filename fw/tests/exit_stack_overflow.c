/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: a stack that grows without end faults below its bank and is reported
exit: 71
expect_regex: '\ntrapeze: unexpected exception: store access fault, mcause 0x00000007, pc 0x8[0-9a-f]{7},
  mtval 0x801[0-9a-f]{5}\n'
engines: [rtl]
qemu: its memory has no hole below the stack bank
*/
#include <stdint.h>

static volatile uint32_t depth;

__attribute__((noinline)) static uint32_t recurse(uint32_t n)
{
	volatile uint32_t frame[32];

	frame[0] = n;
	frame[31] = depth++;
	return (depth != 0 ? recurse(n + 1) : 0) + frame[0] + frame[31];
}

int main(void)
{
	return (int)recurse(0);
}
