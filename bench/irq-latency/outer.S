/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The outer handlers of nested interrupts, fastirq scheme. They use their stack, their frame, memory, the multiplier,
 * the divider and calls, and check their results: after a wrong one outer_wrong is not 0. There are two:
 *
 * outer_service          reads its frame, from the last word on, because that is stored last
 * outer_service_writing  also writes a word of its frame with its own value, so that its emret has to load the frame
 *
 * Marker 5 is their last instruction before they return. They place no marker 1, which belongs to the innermost
 * handler.
 */
#include <trapeze/irq_nest.h>
#include <trapeze/marker.h>
#include <trapeze/mode.h>

#define OWN 32
#define FRAME_MCAUSE (OWN + TRAPEZE_IRQ_FRAME_MCAUSE)

	.macro	outer_handler name writes
	.section .text.\name, "ax", @progbits
	.balign	4
	.globl	\name
	.type	\name, @function
\name:
	addi	sp, sp, -OWN
	sw	ra, 28(sp)
	sw	s0, 24(sp)
	lw	s0, FRAME_MCAUSE(sp)
	lw	t0, OWN(sp)
	.if	\writes
	sw	t0, OWN(sp)
	.endif
	/* One half comes from the frame's first word, the other from the saved ra. */
	lw	t1, (OWN - 2)(sp)
	call	outer_work
	lw	t0, outer_expected
	lw	t1, FRAME_MCAUSE(sp)
	xor	a0, a0, t0
	xor	s0, s0, t1
	or	a0, a0, s0
	beqz	a0, 1f
	sw	a0, outer_wrong, t0
1:	lw	ra, 28(sp)
	lw	s0, 24(sp)
	addi	sp, sp, OWN
	TRAPEZE_MARKER(TRAPEZE_MARKER_HANDLER_END)
	ret
	.size	\name, . - \name
	.endm

	outer_handler outer_service 0
	outer_handler outer_service_writing 1

/* uint32_t outer_work(void): always returns the same value. Uses every caller-saved register. */
	.section .text.outer_work, "ax", @progbits
	.balign	4
	.globl	outer_work
	.type	outer_work, @function
outer_work:
	addi	sp, sp, -48
	sw	ra, 44(sp)
	li	a1, 0x9e3779b9
	li	a2, -7
	li	a3, 0x7fff1234
	li	a4, 91
	li	a5, 1000003
	li	t0, 0x555
	li	t1, 11
	li	t2, 2
#ifndef __riscv_32e
	li	a6, 0x0ba
	li	a7, 0x600
	li	t3, 0x314
	li	t4, 0x271
	li	t5, 0x161
	li	t6, 0x141
#endif
	.irp	n, 0, 4, 8, 12, 16
	sw	a1, \n(sp)
	.endr
	sw	a3, 5(sp)
	sw	a5, 8(sp)
	sw	t0, 14(sp)
	divu	a0, a5, t1
	lw	a1, 4(sp)
	lw	a2, 11(sp)
	mul	a3, a1, a5
1:	addi	t2, t2, -1
	add	a0, a0, a3
	bnez	t2, 1b
	rem	t2, a4, t1
	call	.Lleaf
	beqz	t2, 2f
	sh	a0, 3(sp)
	lw	t0, 2(sp)
	csrr	t1, CSR_XTVEC
	add	t0, t0, t1
2:	.irp	reg, a1, a2, a3, a4, a5, t0, t1, t2
	add	a0, a0, \reg
	.endr
#ifndef __riscv_32e
	.irp	reg, a6, a7, t3, t4, t5, t6
	add	a0, a0, \reg
	.endr
#endif
	lw	ra, 44(sp)
	addi	sp, sp, 48
	ret
.Lleaf:
	xor	a4, a4, a3
	ret
	.size	outer_work, . - outer_work

	.section .sbss.outer, "aw", @nobits
	.balign	4
	.globl	outer_expected, outer_wrong
	.type	outer_expected, @object
	.type	outer_wrong, @object
outer_expected:
	.zero	4
	.size	outer_expected, 4
outer_wrong:
	.zero	4
	.size	outer_wrong, 4
