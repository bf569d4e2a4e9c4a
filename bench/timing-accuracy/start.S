/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Start-up code: registers, traps, .bss, main, and the end of the run by the host port. Rocket refuses the store to the
 * host port of Trapeze's maps; the trap handler then stores to the harness's copy of it. On Trapeze the first store ends
 * the run.
 */
#include <trapeze/host.h>
#include <trapeze/isa.h>
#include <trapeze/map.h>

#include "platform.h"

#define TRAP_CODE 99

	.section .init, "ax", @progbits
	.globl _start
_start:
	.option push
	.option norelax
	la	gp, __global_pointer$
	.option pop
	la	sp, __stack_top
	la	t0, trap
	csrw	mtvec, t0
	li	t0, MSTATUS_FS
	csrs	mstatus, t0
	csrw	fcsr, zero
	la	t0, __bss_start
	la	t1, __bss_end
1:	bgeu	t0, t1, 2f
	sd	zero, 0(t0)
	addi	t0, t0, 8
	j	1b
2:	call	main

/* a0: exit code, 0 to 65535. */
end:
	li	t0, TRAPEZE_HOST_FINISHER_STATUS_PASS
	beqz	a0, 1f
	slli	a0, a0, TRAPEZE_HOST_FINISHER_CODE_SHIFT
	li	t0, TRAPEZE_HOST_FINISHER_STATUS_FAIL
	or	t0, t0, a0
1:	li	t1, TRAPEZE_HOST_BASE + TRAPEZE_HOST_FINISHER_OFFSET
2:	sw	t0, 0(t1)
	j	2b

	.balign 4
trap:
	csrr	a0, mcause
	li	a1, MCAUSE_STORE_FAULT
	bne	a0, a1, 1f
	csrr	a1, mtval
	li	a2, TRAPEZE_HOST_BASE + TRAPEZE_HOST_FINISHER_OFFSET
	bne	a1, a2, 1f
	li	t1, HARNESS_HOST_BASE + TRAPEZE_HOST_FINISHER_OFFSET
	mret
1:	la	sp, __stack_top
	csrr	a1, mepc
	csrr	a2, mtval
	call	unexpected_trap
	li	a0, TRAP_CODE
	j	end
