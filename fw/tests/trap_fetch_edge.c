/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: running off the end of a bank; an instruction half outside; fetch from a device
needs: [c]
engines: [rtl]
qemu: its memory is one block of 4 MiB
expect: |
  PASS
*/
#include <trapeze/map.h>

#include "test.h"

#define END (TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE)

int main(void)
{
	volatile uint16_t *end = (volatile uint16_t *)END;

	test_begin();

	end[-2] = 0x0001; /* c.nop */
	end[-1] = 0x0001;
	fetch_fence();
	jump_into(END - 4U);
	CHECK_TRAP(MCAUSE_FETCH_FAULT, END, END);

	/* The instruction begins inside of the bank: mepc is its address, mtval that of the half that faulted. */
	end[-1] = 0x0013; /* lower half of addi x0, x0, 0 */
	fetch_fence();
	jump_into(END - 4U);
	CHECK_TRAP(MCAUSE_FETCH_FAULT, END - 2U, END);

	/* A return in the last half-word of a bank: a fetch behind it does no harm. */
	end[-1] = 0x8082;
	fetch_fence();
	call_address(END - 2U);
	CHECK_NO_TRAP();

	jump_into(TRAPEZE_UART_BASE);
	CHECK_TRAP(MCAUSE_FETCH_FAULT, TRAPEZE_UART_BASE, TRAPEZE_UART_BASE);
	jump_into(TRAPEZE_CLINT_BASE);
	CHECK_TRAP(MCAUSE_FETCH_FAULT, TRAPEZE_CLINT_BASE, TRAPEZE_CLINT_BASE);
	jump_into(0U);
	CHECK_TRAP(MCAUSE_FETCH_FAULT, 0U, 0U);
	return test_end();
}
