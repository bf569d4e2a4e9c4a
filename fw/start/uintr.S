/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Entry of user interrupts posted by other threads, in user mode (trapeze/uintr.h). The core has saved the caller-saved
 * registers. uscratch holds the address of the C function, which returns to an euret.
 */
#include <trapeze/csr.h>
#include <trapeze/unwind.h>

	.section .text.irq.uintr, "ax", @progbits
	.option	push
	.option	norvc
	.balign	4
	.globl	__uintr_entry
	.type	__uintr_entry, @function
__uintr_entry:
	csrr	t0, CSR_USCRATCH
	csrr	a0, CSR_UCAUSE
	andi	a0, a0, 63
	jr	t0
	.size	__uintr_entry, . - __uintr_entry

	.globl	__uintr_return
	.type	__uintr_return, @function
__uintr_return:
	TRAPEZE_EURET
	.option	pop
	.size	__uintr_return, . - __uintr_return
	TRAPEZE_UNWIND_RETURN __uintr_return
