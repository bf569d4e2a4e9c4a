/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Monitor, all schemes but `emulate`: traps that a scheme does not handle itself. They go on in C, on the monitor's
 * stack. The program's sp is in mscratch. Its other registers are lost, except ra, gp, tp and those that a C function
 * keeps.
 */
#include <trapeze/csr.h>

#include "scheme.h"

	.section .text.monitor_unknown, "ax", @progbits
	.globl	monitor_unknown
	.type	monitor_unknown, @function
monitor_unknown:
	la	sp, monitor_stack + MONITOR_STACK
	addi	sp, sp, -32
	sw	ra, 16(sp)
	mv	a1, a0
	csrr	t0, CSR_MCAUSE
	csrr	t1, CSR_MEPC
	csrr	t2, CSR_MTVAL
	sw	t0, 0(sp)			/* struct monitor_place */
	sw	t1, 4(sp)
	sw	t2, 8(sp)
	csrr	t0, CSR_MSCRATCH
	sw	t0, 12(sp)
	mv	a0, sp
	jal	monitor_serve
	csrr	t0, CSR_MEPC			/* it was a call */
	addi	t0, t0, 4
	csrw	CSR_MEPC, t0
	lw	ra, 16(sp)
	lw	sp, 12(sp)
	lui	t0, %hi(monitor_scratch)
	addi	t0, t0, %lo(monitor_scratch)
	csrw	CSR_MSCRATCH, t0
	mret
	.size	monitor_unknown, . - monitor_unknown

/* For tests: the program goes on at a0, and gets mcause, mepc and mtval in a0 to a2. */
	.section .text.monitor_resume_at, "ax", @progbits
	.globl	monitor_resume_at
	.type	monitor_resume_at, @function
monitor_resume_at:
	csrw	CSR_MEPC, a0
	lui	t0, %hi(monitor_scratch)
	addi	t0, t0, %lo(monitor_scratch)
	csrw	CSR_MSCRATCH, t0
	mv	a0, a1
	mv	a1, a2
	mv	a2, a3
	j	monitor_enter
	.size	monitor_resume_at, . - monitor_resume_at

/* Sets user mode's level to 0, which only a return to user mode writes, and goes on at monitor_again. No source is
 * enabled, so the next trap is the fetch of the monitor's code, which user mode may not execute.
 */
	.section .text.monitor_level_again, "ax", @progbits
	.balign	64
	.type	level_is_zero, @function
level_is_zero:
	csrw	CSR_UEPC, zero
	csrw	CSR_USTATUS, zero
	j	monitor_again
	.size	level_is_zero, . - level_is_zero

	.globl	monitor_level_again
	.type	monitor_level_again, @function
monitor_level_again:
	la	t0, level_is_zero
	csrw	CSR_UEPC, t0
	addi	t0, t0, MTVEC_MODE_CLIC
	csrw	CSR_MTVEC, t0
	csrw	CSR_USTATUS, zero
	csrw	CSR_UCAUSE, zero
	TRAPEZE_URET
	.size	monitor_level_again, . - monitor_level_again
