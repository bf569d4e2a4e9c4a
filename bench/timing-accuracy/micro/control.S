/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Micro-kernels of control: branches by direction, number and pattern, jumps, calls and returns, targets between words.
 */
#include "kernel.inc"

	KERNEL	branch-not-taken, 32
	ROUND
	.rept	16
	bne	zero, zero, . + 8
	.endr
	DONE

	/* Branches over one instruction, always taken. Rocket's BTB has 28 entries. */
	.macro TAKEN name, jump, number
	KERNEL	\name, 16
	ROUND
	.rept	\number
	\jump	. + 8
	nop
	.endr
	DONE
	.endm

	TAKEN	branch-taken-8, "beq zero, zero,", 8
	TAKEN	branch-taken-24, "beq zero, zero,", 24
	TAKEN	branch-taken-64, "beq zero, zero,", 64
	TAKEN	branch-taken-256, "beq zero, zero,", 256
	TAKEN	jump-8, j, 8
	TAKEN	jump-64, j, 64

	KERNEL	branch-taken-to-next-8, 32
	ROUND
	.rept	8
	beq	zero, zero, . + 4
	.endr
	DONE

	KERNEL	jump-every-fourth-8, 32
	ROUND
	.rept	8
	addi	t0, t0, 1
	addi	t1, t1, 1
	addi	t2, t2, 1
	j	. + 8
	nop
	.endr
	DONE

	KERNEL	branch-on-load, 32
	sd	a1, 0(a1)
	ROUND
	.rept	8
	ld	t0, 0(a1)
	bnez	t0, . + 4
	.endr
	DONE

	KERNEL	branch-on-alu, 32
	ROUND
	.rept	8
	addi	t0, zero, 0
	bnez	t0, . + 8
	.endr
	DONE

	/* A branch by bytes of memory: 1 is not taken. */
	.macro PATTERN name, which
	KERNEL	\name, 512, ARGUMENT_PATTERN, \which
	ROUND
	lbu	t0, 0(a2)
	addi	a2, a2, 1
	nop
	nop
	beqz	t0, 2f
	nop
2:
	DONE
	.endm

	PATTERN	pattern-never-taken, 0
	PATTERN	pattern-always-taken, 1
	PATTERN	pattern-alternating, 2
	PATTERN	pattern-one-in-four, 3
	PATTERN	pattern-two-in-eight, 4
	PATTERN	pattern-random, 5
	PATTERN	pattern-random-one-in-eight, 6

	.macro INNER name, turns
	KERNEL	\name, 64
	ROUND
	li	t0, \turns
2:	addi	t0, t0, -1
	bnez	t0, 2b
	DONE
	.endm

	INNER	inner-loop-2, 2
	INNER	inner-loop-4, 4
	INNER	inner-loop-8, 8
	INNER	inner-loop-16, 16

	KERNEL	call-return, 32
	mv	t5, ra
	ROUND
	.rept	4
	jal	ra, 3f
	.endr
	addi	a0, a0, -1
	bnez	a0, 1b
	mv	ra, t5
	ret
	.balign	64
3:	ret

	/* Functions that call each other. Rocket's stack of return addresses has 6 entries. */
	.macro NESTED number, inner
nested_\number:
	addi	sp, sp, -16
	sd	ra, 0(sp)
	jal	ra, nested_\inner
	ld	ra, 0(sp)
	addi	sp, sp, 16
	ret
	.endm

	.text
	.balign	64
	NESTED	10, 9
	NESTED	9, 8
	NESTED	8, 7
	NESTED	7, 6
	NESTED	6, 5
	NESTED	5, 4
	NESTED	4, 3
	NESTED	3, 2
	NESTED	2, 1
nested_1:
	.rept	4
	nop
	.endr
	ret

	.macro DEPTH name, depth
	KERNEL	\name, 32
	mv	t5, ra
	ROUND
	jal	ra, nested_\depth
	addi	a0, a0, -1
	bnez	a0, 1b
	mv	ra, t5
	ret
	.endm

	DEPTH	call-depth-1, 1
	DEPTH	call-depth-2, 2
	DEPTH	call-depth-4, 4
	DEPTH	call-depth-6, 6
	DEPTH	call-depth-7, 7
	DEPTH	call-depth-8, 8
	DEPTH	call-depth-10, 10

	/* One function that calls itself: the same return again and again. */
	.macro RECURSION name, depth
	KERNEL	\name, 32
	mv	t5, ra
	ROUND
	li	t0, \depth
	jal	ra, recursive
	addi	a0, a0, -1
	bnez	a0, 1b
	mv	ra, t5
	ret
	.endm

	.text
	.balign	64
recursive:
	addi	sp, sp, -16
	sd	ra, 0(sp)
	addi	t0, t0, -1
	beqz	t0, 2f
	jal	ra, recursive
2:	ld	ra, 0(sp)
	addi	sp, sp, 16
	ret

	RECURSION recursion-4, 4
	RECURSION recursion-6, 6
	RECURSION recursion-8, 8
	RECURSION recursion-12, 12

	KERNEL	jump-register-fixed, 32
	la	t3, 2f
	ROUND
	jr	t3
	.balign	64
2:	nop
	DONE

	KERNEL	jump-register-alternating, 32
	la	t3, 2f
	la	t4, 3f
	ROUND
	xor	t3, t3, t4
	xor	t4, t3, t4
	xor	t3, t3, t4
	jr	t3
	.balign	64
2:	nop
	addi	a0, a0, -1
	bnez	a0, 1b
	ret
	.balign	64
3:	nop
	DONE

	/* Targets of 4 bytes at a word, and in the middle of one. */
	KERNEL	target-aligned, 32
	ROUND
	.rept	8
	beq	zero, zero, . + 8
	.option	rvc
	c.nop
	c.nop
	.option	norvc
	addi	t0, t0, 1
	.option	rvc
	c.nop
	c.nop
	.option	norvc
	.endr
	DONE

	KERNEL	target-between-words, 32
	ROUND
	.rept	8
	beq	zero, zero, . + 10
	.option	rvc
	c.nop
	c.nop
	c.nop
	.option	norvc
	addi	t0, t0, 1
	.option	rvc
	c.nop
	.option	norvc
	.endr
	DONE

	KERNEL	straight-between-words, 32
	ROUND
	.option	rvc
	c.nop
	.option	norvc
	.rept	32
	addi	t0, t0, 1
	.endr
	.option	rvc
	c.nop
	.option	norvc
	DONE

	KERNEL	straight-compressed, 32
	ROUND
	.option	rvc
	.rept	64
	c.addi	t0, 1
	.endr
	.option	norvc
	DONE
