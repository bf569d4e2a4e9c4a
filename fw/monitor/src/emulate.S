/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Monitor, scheme `emulate`: the entry of all traps. It saves all registers to the guest's state, and loads them from
 * there at the end.
 */
#include <trapeze/abi.h>
#include <trapeze/csr.h>

#include "emulate.h"
#include "scheme.h"

	.macro	registers op
	.irp	r, TRAPEZE_FRAME_REGISTERS
	\op	x\r, GUEST_X + 4 * \r(sp)
	.endr
	.endm

	.globl	monitor_is_emulate
	.set	monitor_is_emulate, 1

	.section .text.monitor_trap, "ax", @progbits
	.balign	64
	.globl	monitor_trap
	.type	monitor_trap, @function
monitor_trap:
	csrrw	sp, CSR_MSCRATCH, sp
	registers sw
	csrr	t0, CSR_MSCRATCH
	csrw	CSR_MSCRATCH, sp
	sw	t0, GUEST_X + 4 * 2(sp)
	la	sp, monitor_stack + MONITOR_STACK
	jal	monitor_emulate
	csrr	sp, CSR_MSCRATCH
	registers lw
	lw	sp, GUEST_X + 4 * 2(sp)
	mret
	.size	monitor_trap, . - monitor_trap
