/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Micro-kernels of integers: additions, multiplies by size of operand, divides by size of quotient, CSRs.
 */
#include "kernel.inc"

	KERNEL	empty, 64
	ROUND
	DONE

	KERNEL	alu-chain, 32
	ROUND
	.rept	32
	addi	t0, t0, 1
	.endr
	DONE

	KERNEL	alu-independent, 32
	ROUND
	.rept	8
	addi	t0, t0, 1
	addi	t1, t1, 1
	addi	t2, t2, 1
	addi	t3, t3, 1
	.endr
	DONE

	/* Eight operations, each waiting for the one before through two additions. */
	.macro OPERATION name, operation, x, y
	KERNEL	\name, 16
	li	a3, \x
	li	a4, \y
	ROUND
	.rept	8
	\operation t0, a3, a4
	and	t0, t0, zero
	add	a3, a3, t0
	.endr
	DONE
	.endm

	OPERATION mul-zero, mul, 0, 0
	OPERATION mul-2bit, mul, 3, 5
	OPERATION mul-8bit, mul, 0xff, 5
	OPERATION mul-16bit, mul, 0xffff, 5
	OPERATION mul-24bit, mul, 0xffffff, 5
	OPERATION mul-31bit, mul, 0x7fffffff, 5
	OPERATION mul-45bit, mul, 0x123456789abc, 5
	OPERATION mul-63bit, mul, 0x7123456789abcdef, 5
	OPERATION mul-negative, mul, -3, 5
	OPERATION mul-63bit-second, mul, 5, 0x7123456789abcdef
	OPERATION mulw-2bit, mulw, 3, 5
	OPERATION mulw-31bit, mulw, 0x7fffffff, 5
	OPERATION mulh-2bit, mulh, 3, 5
	OPERATION mulhu-63bit, mulhu, 0x7123456789abcdef, 0x7123456789abcdef
	OPERATION mulhsu-63bit, mulhsu, -3, 0x7123456789abcdef
	OPERATION div-quotient-0bit, div, 7, 100
	OPERATION div-quotient-4bit, div, 100, 7
	OPERATION div-quotient-19bit, div, 1000000, 3
	OPERATION div-quotient-32bit, div, 0x4000000000000000, 0x80000000
	OPERATION div-quotient-61bit, div, 0x4000000000000000, 3
	OPERATION div-quotient-2bit-large, div, 0x4000000000000000, 0x2000000000000000
	OPERATION div-by-zero, div, 100, 0
	OPERATION div-of-zero, div, 0, 7
	OPERATION div-negative-first, div, -100, 7
	OPERATION div-negative-second, div, 100, -7
	OPERATION divu-quotient-63bit, divu, 0x8000000000000000, 3
	OPERATION divw-quotient-4bit, divw, 100, 7
	OPERATION divw-quotient-30bit, divw, 0x7fffffff, 3
	OPERATION divuw-quotient-4bit, divuw, 100, 7
	OPERATION rem-4bit, rem, 100, 7
	OPERATION rem-negative, rem, -100, 7
	OPERATION remu-4bit, remu, 100, 7
	OPERATION remw-30bit, remw, 0x7fffffff, 3

	KERNEL	mul-same-destination, 16
	li	a3, 3
	li	a4, 5
	ROUND
	.rept	8
	mul	t0, a3, a4
	.endr
	DONE

	KERNEL	mul-independent, 16
	li	a3, 3
	li	a4, 5
	ROUND
	.irp	register, t0, t1, t2, t3, t4, t5, t6, a7
	mul	\register, a3, a4
	.endr
	DONE

	/* A result that is used after some instructions: additions have results of their own, branches have none. */
	.macro USED_AFTER name, between, number
	KERNEL	\name, 16
	li	a3, 3
	li	a4, 5
	ROUND
	.rept	8
	mul	t0, a3, a4
	.rept	\number
	\between
	.endr
	add	t2, t0, t0
	.endr
	DONE
	.endm

	USED_AFTER mul-use-0, nop, 0
	USED_AFTER mul-use-3, "addi t1, t1, 1", 3
	USED_AFTER mul-use-8, "addi t1, t1, 1", 8
	USED_AFTER mul-use-16, "addi t1, t1, 1", 16
	USED_AFTER mul-use-3-branches, "bne zero, zero, . + 4", 3
	USED_AFTER mul-use-4-branches, "bne zero, zero, . + 4", 4
	USED_AFTER mul-use-8-stores, "sd t1, 64(a1)", 8

	/* An instruction with its use behind it; eight of each. */
	.macro PAIR name, first, second
	KERNEL	\name, 16
	ROUND
	.rept	8
	\first
	\second
	.endr
	DONE
	.endm

	PAIR	csr-read-cycle, "csrr t0, mcycle", nop
	PAIR	csr-read-cycle-used, "csrr t0, mcycle", "add t1, t0, t0"
	PAIR	csr-read-instret-used, "csrr t0, minstret", "add t1, t0, t0"
	PAIR	csr-read-scratch-used, "csrr t0, mscratch", "add t1, t0, t0"
	PAIR	csr-write-scratch, "csrw mscratch, t0", nop
	PAIR	csr-swap-scratch-used, "csrrw t0, mscratch, t0", "add t1, t0, t0"
	PAIR	csr-read-fflags-used, "frflags t0", "add t1, t0, t0"
	PAIR	csr-write-fflags, "fsflags zero", nop
	PAIR	csr-write-status, "csrsi mstatus, 0", nop
	PAIR	fence, fence, nop
	PAIR	fence-i, fence.i, nop

	KERNEL	csr-read-independent, 16
	ROUND
	.irp	register, t0, t1, t2, t3, t4, t5, t6, a7
	csrr	\register, mcycle
	.endr
	DONE

	KERNEL	trap-and-return, 16
	la	t0, 3f
	csrrw	t1, mtvec, t0
	ROUND
	.rept	4
	ecall
	.endr
	addi	a0, a0, -1
	bnez	a0, 1b
	csrw	mtvec, t1
	ret
	.balign	64
3:	csrr	t2, mepc
	addi	t2, t2, 4
	csrw	mepc, t2
	mret
