/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Monitor, every scheme: where the hart begins. monitor_init() leaves mtvec, mscratch and protection as they are while
 * the program runs, which begins at _start in user mode.
 */
#include <trapeze/csr.h>

#include "scheme.h"

	.section .text.monitor_start, "ax", @progbits
	.globl	monitor_start
	.type	monitor_start, @function
monitor_start:
	la	sp, monitor_stack + MONITOR_STACK
	jal	monitor_init
	la	t0, _start
	csrw	CSR_MEPC, t0
	li	t0, MSTATUS_MPP
	csrc	CSR_MSTATUS, t0
	li	t0, 0
	li	sp, 0
	mret
	.size	monitor_start, . - monitor_start

/* ---------------------------------------------------------------- the program ends here: nothing of it is needed any more */
	.section .text.monitor_unknown, "ax", @progbits
	.globl	monitor_unknown
	.type	monitor_unknown, @function
monitor_unknown:
	la	sp, monitor_stack + MONITOR_STACK
	csrr	a0, CSR_MCAUSE
	csrr	a1, CSR_MEPC
	csrr	a2, CSR_MTVAL
	li	a3, 0
	j	monitor_fault
	.size	monitor_unknown, . - monitor_unknown
