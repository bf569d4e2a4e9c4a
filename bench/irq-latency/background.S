/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * uint32_t background(void): the interrupted program. Between markers 2 and 3 it executes every kind of instruction
 * that may hold an interrupt up: loads and stores (aligned, misaligned within a word and across words, back to back,
 * with the value used at once), branches taken and not taken, forwards and backwards, jumps, calls and returns,
 * multiplies, divides, CSR accesses, and 16-bit and 32-bit instructions at both alignments. All caller-saved and
 * callee-saved registers of the ABI are live throughout and end in the checksum it returns.
 *
 * USER: for user mode; CSRs of machine mode are left out, and what they would give is put in.
 * STONES: marker 6 stands in many places, so that one sees when the interrupted program goes on.
 */
#include <trapeze/csr.h>
#include <trapeze/marker.h>

#define BUFFER_WORDS 12

#ifdef __riscv_32e
#define FRAME 16
#else
#define FRAME 64
#endif

/* a0 is the checksum: rotated, then the value added. */
	.macro	mix value
	rori	a0, a0, 27
	add	a0, a0, \value
	.endm

	.macro	stone
#ifdef STONES
	TRAPEZE_MARKER(6)
#endif
	.endm

	.section .text.background, "ax", @progbits
	.balign	4
	.globl	background
	.type	background, @function
background:
	addi	sp, sp, -FRAME
	sw	ra, 0(sp)
	sw	s0, 4(sp)
	sw	s1, 8(sp)
#ifndef __riscv_32e
	.irp	n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	sw	s\n, (4 + 4 * \n)(sp)
	.endr
#endif
	la	s0, buffer
	li	s1, 2
	li	a0, 0x12345678
	li	a1, 0x9e3779b9
	li	a2, -7
	li	a3, 0x7fff1234
	li	a4, 0x80000001
	li	a5, 1000003
	li	t0, 0x55aa33cc
	li	t1, 11
	li	t2, 0xdeadbeef
#ifndef __riscv_32e
	li	a6, 0x0badcafe
	li	a7, 0x600dd00d
	li	t3, 0x31415926
	li	t4, 0x27182818
	li	t5, 0x16180339
	li	t6, 0x14142135
	.irp	n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	li	s\n, 0x01010101 * \n
	.endr
#endif
	TRAPEZE_MARKER(TRAPEZE_MARKER_BACKGROUND_BEGIN)

.Lloop:
	/* Stores back to back, then loads back to back, then a load whose value is used at once. */
	sw	a1, 0(s0)
	sw	a2, 4(s0)
	sw	a3, 8(s0)
	sh	a4, 12(s0)
	stone
	sb	a5, 14(s0)
	sb	t2, 15(s0)
	lw	a1, 4(s0)
	lw	a2, 8(s0)
	lhu	a3, 0(s0)
	stone
	lb	t0, 15(s0)
	mix	t0
	lw	t0, 12(s0)
	stone
	add	t0, t0, a1
	mix	t0

	/* A store and a load of the same word; a load that gives the address of the next one; a stored result. */
	sw	a0, 16(s0)
	lw	t0, 16(s0)
	xor	a3, a3, t0
	stone
	la	t0, pointers
	lw	t0, 0(t0)
	lw	t0, 0(t0)
	lw	t0, 4(t0)
	mul	t0, t0, a2
	stone
	sw	t0, 20(s0)

	/* Misaligned: within a word, across words, halves across words; loads and stores mixed. */
	sw	a3, 25(s0)
	stone
	lw	t0, 25(s0)
	mix	t0
	sh	a2, 31(s0)
	lhu	t0, 31(s0)
	lh	t2, 33(s0)
	stone
	mix	t0
	sw	a1, 34(s0)
	sw	a2, 39(s0)
	stone
	lw	t0, 37(s0)
	lw	t2, 30(s0)
	mix	t2
	mix	t0

	/* Branches: not taken forwards, taken forwards, a short backward loop, taken on a fresh load. */
	beq	a1, a2, .Lnever
	bne	a1, a2, 1f
	mix	a1
1:	bltu	a1, zero, .Lnever
	stone
	bgeu	a1, zero, 2f
	.option	push
	.option	norvc
	addi	a5, a5, 1
	stone
	.option	pop
2:	li	t0, 3
3:	addi	a5, a5, 77
	addi	t0, t0, -1
	stone
	bnez	t0, 3b
	lw	t0, 4(s0)
	bnez	t0, 4f
	mix	a2
4:	blt	zero, zero, .Lnever
	stone
	bge	t1, zero, 5f
	ebreak
5:
	/* Multiplies and divides: independent, dependent on each other, by a loaded value, by zero. */
	mul	a1, a1, a5
	mulhu	a2, a1, a5
	stone
	mulh	t0, a1, a4
	mulhsu	t2, a4, a1
	mul	a3, t0, t2
	mix	a3
	divu	t0, a1, t1
	stone
	mix	t0
	rem	t2, a4, a5
	lw	t0, 8(s0)
	div	t0, t0, t1
	remu	a4, a2, t0
	mix	a4
	div	t0, a1, zero
	stone
	mix	t0
	addi	t1, t1, 6

	/* Jumps, calls and returns; the return address goes through memory once. */
	j	6f
	ebreak
7:	jal	.Lleaf
	j	8f
6:	j	7b
8:	la	t0, .Lleaf
	stone
	jalr	t0
	call	.Lnested
	stone

	/* CSRs: reads, swaps there and back, set and clear without a change, immediate forms. */
#ifdef USER
	li	t0, 1
	mix	t0
	csrr	t0, CSR_CYCLE
	mix	a1
	csrr	t2, CSR_INSTRET
	li	t0, MSTATUS_MIE
	mix	t0
	li	t2, 5
	csrr	t0, CSR_CYCLEH
	mix	t2
	li	t0, 0
	csrr	t2, CSR_CYCLE
	mix	t0
	fence
#else
	csrr	t0, CSR_MTVEC
	stone
	andi	t0, t0, 1			/* vectored or CLIC: not the rest of the mode, which differs */
	mix	t0
	csrrw	t0, CSR_MSCRATCH, a1
	csrrw	t2, CSR_MSCRATCH, t0
	mix	t2
	csrrsi	t0, CSR_MSTATUS, MSTATUS_MIE
	andi	t0, t0, MSTATUS_MIE
	mix	t0
	csrrci	t0, CSR_MCOUNTEREN, 0
	stone
	csrwi	CSR_MCOUNTEREN, 5
	csrr	t2, CSR_MCOUNTEREN
	csrw	CSR_MCOUNTEREN, t0
	mix	t2
	csrr	t0, CSR_MHARTID
	csrr	t2, CSR_MCYCLE
	mix	t0
	fence
	stone
#endif

	/* Bit manipulation, with 16-bit and 32-bit instructions at both alignments. */
	sh2add	t0, a1, a2
	c.addi	t0, 1
	stone
	clz	t2, a1
	c.add	t0, t2
	stone
	cpop	t2, a2
	c.nop
	stone
	.option push
	.option arch, +zbs			/* the compiler's -march is without */
	bext	t2, a3, t2
	.option pop
	stone
	max	a4, a4, t0
	rev8	a5, a5
	orc.b	t2, a4
	stone
	mix	t2
	mix	a5

	/* The loaded value is the loop's next input. */
	lw	a2, 20(s0)
	stone
	addi	s1, s1, -1
	bnez	s1, .Lloop

	TRAPEZE_MARKER(TRAPEZE_MARKER_BACKGROUND_END)
	/* Room for an interrupt of the window's last cycles to be taken. */
	.rept	8
	nop
	.endr

	.irp	reg, a1, a2, a3, a4, a5, t0, t1, t2, s1
	mix	\reg
	.endr
	/* Registers that hold addresses count as offsets: the checksum must not depend on where things are linked. */
	la	t0, buffer
	sub	t1, s0, t0
	mix	t1
	la	t0, __tls_base
	sub	t0, tp, t0
	mix	t0
	.option	push
	.option	norelax
	la	t0, __global_pointer$
	.option	pop
	sub	t0, gp, t0
	mix	t0
	li	t0, BUFFER_WORDS
1:	lw	t1, 0(s0)
	mix	t1
	addi	s0, s0, 4
	addi	t0, t0, -1
	bnez	t0, 1b
#ifndef __riscv_32e
	.irp	reg, a6, a7, t3, t4, t5, t6, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
	mix	\reg
	.endr
	.irp	n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	lw	s\n, (4 + 4 * \n)(sp)
	.endr
#endif
	lw	ra, 0(sp)
	lw	s0, 4(sp)
	lw	s1, 8(sp)
	addi	sp, sp, FRAME
	ret

.Lnever:
	ebreak

.Lleaf:
	addi	a5, a5, 3
	stone
	ret

.Lnested:
	addi	sp, sp, -16
	sw	ra, 12(sp)
	call	.Lleaf
	stone
	lw	ra, 12(sp)
	addi	sp, sp, 16
	ret
	.size	background, . - background

	.section .bss.background, "aw", @nobits
	.balign	4
buffer:
	.zero	4 * BUFFER_WORDS

	.section .data.background, "aw", @progbits
	.balign	4
pointers:
	.word	chain
chain:
	.word	value, 0
value:
	.word	0, 0x2545f491
