/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * What runs in supervisor mode, and the way there and back. Machine mode's own accesses are not translated, so between
 * two runs nothing changes what the TLBs hold.
 */
#include <trapeze/isa.h>

	.option	norvc

	/* uint64_t supervise(uint64_t (*run)(uint64_t rounds, uint64_t at, uint64_t entry), rounds, at, entry) */
	.globl	supervise
supervise:
	addi	sp, sp, -16
	sd	ra, 0(sp)
	csrw	mepc, a0
	mv	a0, a1
	mv	a1, a2
	mv	a2, a3
	la	t0, 1f
	csrrw	t0, mtvec, t0
	sd	t0, 8(sp)
	li	t0, MSTATUS_MPP
	csrc	mstatus, t0
	li	t0, MSTATUS_MPP_S
	csrs	mstatus, t0
	la	ra, 2f
	mret
	.balign	4
1:	ld	t0, 8(sp)
	csrw	mtvec, t0
	csrr	t1, mcause
	li	t2, MCAUSE_ECALL_S
	beq	t1, t2, 3f
	jr	t0			/* start.S reports any other trap */
3:	ld	ra, 0(sp)
	addi	sp, sp, 16
	ret
	.balign	64
2:	ecall

	/* Sixteen loads a round, each from where the one before it says. Returns where it stands. */
	.globl	chase
	.balign	64
chase:
1:	.rept	16
	ld	a1, 0(a1)
	.endr
	addi	a0, a0, -1
	bnez	a0, 1b
	mv	a0, a1
	ret

	/* The same, behind a fence that empties the TLBs. */
	.globl	chase_fenced
	.balign	64
chase_fenced:
1:	sfence.vma
	.rept	16
	ld	a1, 0(a1)
	.endr
	addi	a0, a0, -1
	bnez	a0, 1b
	mv	a0, a1
	ret

	/* Code that main.c writes, a jump in each page; its first page counts the rounds. */
	.globl	hop
	.balign	64
hop:	jr	a2
