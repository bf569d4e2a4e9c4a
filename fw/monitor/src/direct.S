/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Monitor, scheme `direct`: traps from user mode. A trap is the call that does nothing, an exception or the watchdog.
 * After an exception and after the watchdog no register of the program is needed any more.
 */
#include <trapeze/csr.h>

	.globl	monitor_is_direct
	.set	monitor_is_direct, 1

	/* mscratch holds nothing while the program runs: its initial value is 0. */
	.globl	monitor_scratch
	.set	monitor_scratch, 0

	.section .text.monitor_trap, "ax", @progbits
	.balign	64
	.globl	monitor_trap
	.type	monitor_trap, @function
monitor_trap:
	csrw	CSR_MSCRATCH, sp
	bnez	t0, 1f			/* t0: the call's number; a call may change t0 to t2 */
	csrr	t1, CSR_MCAUSE
	andi	t1, t1, 0x7ff
	addi	t1, t1, -MCAUSE_ECALL_U
	bnez	t1, 1f
	csrr	t1, CSR_MEPC
	addi	t1, t1, 4
	csrw	CSR_MEPC, t1
	mret
1:	j	monitor_unknown
	.size	monitor_trap, . - monitor_trap

/* Starts the program by uret instead of mret, so that the level of user mode is 0 as well: the program may have ended
 * in a handler of its own. Interrupts are disabled, because sp still has its old value.
 */
	.section .text.monitor_enter, "ax", @progbits
	.globl	monitor_enter
	.type	monitor_enter, @function
monitor_enter:
	csrw	CSR_USTATUS, zero
	csrr	t0, CSR_MEPC
	csrw	CSR_UEPC, t0
	csrw	CSR_UCAUSE, zero
	li	t0, 0
	TRAPEZE_URET
	.size	monitor_enter, . - monitor_enter
