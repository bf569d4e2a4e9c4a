/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Start and traps of the machine mode. mscratch holds the top of its stack while a lower mode runs. A trap saves all
 * registers, since the result of an emulated instruction may go to any of them.
 */
#include <trapeze/host.h>
#include <trapeze/isa.h>
#include <trapeze/map.h>

#include "../timing-accuracy/platform.h"

#define REGISTERS 32
#define FRAME     (8 * REGISTERS)
#define STACK     4096			/* fw/sbi/image.ld */

	/* An access to the place of each register but zero and sp. */
	.macro	each op
	.irp	number, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\op	x\number, 8 * \number(sp)
	.endr
	.endm

	.section .text.start, "ax", @progbits
	.globl	_start
_start:
	la	t0, __bss_start
	la	t1, __bss_end
1:	bgeu	t0, t1, 2f
	sd	zero, 0(t0)
	addi	t0, t0, 8
	j	1b
2:	la	sp, __stacks + STACK
	csrw	mscratch, sp
	la	t0, entered
	csrw	mtvec, t0
	call	prepare
	csrr	a0, mhartid
	la	a1, __device_tree
	mret

	.balign	4
entered:
	csrrw	sp, mscratch, sp
	addi	sp, sp, -FRAME
	each	sd
	csrr	t0, mscratch
	sd	t0, 16(sp)
	mv	a0, sp
	call	trap
	ld	t0, 16(sp)
	csrw	mscratch, t0
	each	ld
	addi	sp, sp, FRAME
	csrrw	sp, mscratch, sp
	mret

	/* Ends the run. Rocket refuses the store to the host port; the harness has another one. a0: its word. */
	.globl	finish
finish:
	la	t0, 1f
	csrw	mtvec, t0
	li	t0, TRAPEZE_HOST_BASE + TRAPEZE_HOST_FINISHER_OFFSET
	sw	a0, 0(t0)
	j	.
	.balign	4
1:	li	t0, HARNESS_HOST_BASE + TRAPEZE_HOST_FINISHER_OFFSET
	sw	a0, 0(t0)
	j	.
