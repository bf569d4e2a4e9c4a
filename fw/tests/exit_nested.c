/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: an exception inside the exception handler is reported and ends the run
exit: 95
expect_regex: '\ntrapeze: exception inside the exception handler: store access fault, mcause
0x00000007, pc 0x8[0-9a-f]{7}, mtval 0x90000010\n'
*/
#include <stdint.h>

#include <trapeze/trap.h>

static bool handler(struct trap_frame *frame)
{
	*(volatile uint32_t *)0x90000010 = frame->mcause;
	return true;
}

int main(void)
{
	(void)trap_set_handler(handler);
	__asm__ volatile("ecall");
	return 0;
}
