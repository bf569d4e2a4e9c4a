/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Monitor, every scheme: the first instructions of the hart. monitor_init() sets mtvec, mscratch and protection to the
 * values that they have while the program runs. Then the program begins at _start in user mode.
 */
#include <trapeze/csr.h>

#include "scheme.h"

	.section .text.monitor_start, "ax", @progbits
	.globl	monitor_start
	.type	monitor_start, @function
monitor_start:
	lui	t0, %hi(monitor_again_count)
	sw	zero, %lo(monitor_again_count)(t0)

/* A restart begins here, after a trap from user mode. */
	.globl	monitor_again
monitor_again:
	la	sp, monitor_stack + MONITOR_STACK
	jal	monitor_init
	la	t0, _start
	csrw	CSR_MEPC, t0
	csrw	CSR_MCAUSE, zero		/* minhv = 0: mret does not fetch from a table of handlers */
	li	t0, MSTATUS_MPP
	csrc	CSR_MSTATUS, t0
	.irp	r, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	li	x\r, 0
	.endr
#ifndef __riscv_32e
	.irp	r, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	li	x\r, 0
	.endr
#endif
	li	sp, 0
	j	monitor_enter
	.size	monitor_start, . - monitor_start

/* The step into user mode; a scheme may define another one. */
	.section .text.monitor_enter, "ax", @progbits
	.weak	monitor_enter
	.type	monitor_enter, @function
monitor_enter:
	mret
	.size	monitor_enter, . - monitor_enter
