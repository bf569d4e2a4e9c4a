/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Start-up code for any core of the harness synth/peers: the vectors, then the first instruction at offset 0x80, then
 * either the interrupted program (LATENCY) or main().
 *
 * tp holds the address of the markers, gp that of the mask of mie that a handler has to load. The harness defines the
 * addresses MEMORY, MARKERS and those relative to it: lab/src/trapeze/experiments/peers/harness.py passes them.
 */
#include <trapeze/csr.h>

#define FRAME 96

	.section .text.start, "ax", @progbits
	.balign	256
	.option	push
	.option	norvc
vectors:
	.rept	IRQ
	j	wrong
	.endr
	j	handler
	.rept	31 - IRQ
	j	wrong
	.endr
	.option	pop

	.globl	_start
_start:
	la	sp, __stack
	li	tp, MARKERS
	la	gp, mask
	la	t0, vectors + 1
	csrw	CSR_MTVEC, t0
	li	t0, 1 << IRQ
	csrw	CSR_MIE, t0
#ifdef LATENCY
	csrsi	CSR_MSTATUS, MSTATUS_MIE
	j	background
#else
	call	main
	sw	a0, EXIT(tp)
1:	j	1b
#endif

/* An exception or an unexpected interrupt ends the run with this value. */
wrong:
	li	t0, 0x0bad
	li	tp, MARKERS
	sw	t0, EXIT(tp)
1:	j	1b

/*
 * A handler that may call C functions and may be preempted: it saves all caller-saved registers, mepc, mcause and mie
 * on the stack, masks lower interrupts and enables interrupts again. It is like bench/irq-latency/handler_full.S, but
 * its marker is a store.
 */
	.balign	4
handler:
	addi	sp, sp, -FRAME
	sw	t0, 4(sp)
	sw	t1, 8(sp)
	sw	t2, 12(sp)
	lw	t2, 0(gp)
	csrr	t0, CSR_MEPC
	csrr	t1, CSR_MCAUSE
	csrrc	t2, CSR_MIE, t2
	sw	ra, 0(sp)
	sw	a0, 16(sp)
	sw	a1, 20(sp)
	sw	a2, 24(sp)
	sw	a3, 28(sp)
	sw	a4, 32(sp)
	sw	a5, 36(sp)
	sw	a6, 40(sp)
	sw	a7, 44(sp)
	sw	t3, 48(sp)
	sw	t4, 52(sp)
	sw	t5, 56(sp)
	sw	t6, 60(sp)
	sw	t0, 64(sp)
	sw	t1, 68(sp)
	sw	t2, 72(sp)
	csrsi	CSR_MSTATUS, MSTATUS_MIE
	sw	zero, HANDLER(tp)			/* a C function could be called here */
1:	j	1b

#ifdef LATENCY
/* The interrupted program: a loop of instructions that may delay an interrupt. Marker 2 stands at its beginning. */
	.balign	4
background:
	la	s0, buffer
	li	a0, 0x12345678
	li	a1, 0x9e3779b9
	li	a2, -7
	li	t1, 11
	li	s2, 2
loop:
	sw	s2, MARKER(tp)
	sw	a1, 0(s0)
	sw	a2, 4(s0)
	sh	a1, 8(s0)
	lw	t0, 0(s0)
	add	a0, a0, t0
	sw	a0, 12(s0)
	lw	a3, 12(s0)
	xor	a0, a0, a3
	sw	a1, 17(s0)			/* across two words */
	lw	t0, 17(s0)
	lhu	t2, 19(s0)
	add	a0, a0, t0
	beq	a1, a2, wrong
	bne	a1, a2, 1f
	addi	a0, a0, 1
1:	li	t0, 3
2:	addi	a0, a0, 77
	addi	t0, t0, -1
	bnez	t0, 2b
	lw	t0, 4(s0)
	bnez	t0, 3f
	addi	a0, a0, 2
3:	mul	a3, a1, a0
	mulhu	a4, a1, a0
	mulh	a5, a3, a4
	add	a0, a0, a5
	j	4f
	nop
4:	call	leaf
	csrr	t0, CSR_MTVEC
	csrsi	CSR_MSTATUS, MSTATUS_MIE
	csrr	t2, CSR_MSTATUS
	add	a0, a0, t0
#ifdef DIVIDES
	divu	t0, a1, t1
	add	a0, a0, t0
	rem	t2, a1, t1
	div	t0, a0, a2
	remu	a4, a1, t0
#endif
	j	loop
leaf:
	addi	a0, a0, 3
	ret

	.section .bss.buffer, "aw", @nobits
	.balign	16
buffer:
	.zero	64
#endif

	.section .data.mask, "aw", @progbits
	.balign	4
mask:
	.word	(2 << IRQ) - 1
