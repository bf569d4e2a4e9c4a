/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * User mode under a monitor: the entry of interrupts, at which the monitor resumes the program (trapeze/monitor.h). It
 * saves the caller-saved registers on the interrupted stack and calls the function given to irq_connect(). Interrupts
 * are disabled meanwhile, so mepc in the monitor's page does not change.
 */
#include <trapeze/abi.h>
#include <trapeze/monitor.h>

	.section .text.irq, "ax", @progbits
	.balign	4
	.globl	__irq_user_entry
	.type __irq_user_entry, @function
__irq_user_entry:
	addi	sp, sp, -TRAPEZE_CALLER_FRAME
	TRAPEZE_SAVE_CALLER
	lw	a0, monitor_page + MONITOR_PAGE_MCAUSE
	call	__irq_dispatch
	TRAPEZE_RESTORE_CALLER
	addi	sp, sp, TRAPEZE_CALLER_FRAME
	TRAPEZE_MONITOR_RETURN
	.size __irq_user_entry, . - __irq_user_entry
