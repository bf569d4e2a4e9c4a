/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: two frames that cannot be stored raise exception 24 once each, even if both are lost while an instruction is
  fetched
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-4banks, mcu-fastirq-shared]
banks: 2
engines: [rtl]
qemu: it has no fastirq
irq:
  - {edge: "3@3000:pulse=2", times: 16, every: 1500}
  - {edge: "4@3002:pulse=2", times: 16, every: 1501}
exit: 32
*/
#include "raise.h"
#include <trapeze/csr.h>

	/* Two lines, edge-triggered and vectored, the second one at the higher level. sp leads into a hole of the
	 * memory map, but two spare banks hold both contexts. This is done sixteen times, with the second line a cycle
	 * later each time. Exit code: the number of handlers that have run if it equals the number of exceptions 24,
	 * otherwise 255.
	 */
#define RUNS   32
#define FIRST  19
#define SECOND 20
#define HOLE   0x90001000

	.text
	.globl	main
	.type	main, @function
main:
	addi	sp, sp, -16
	sw	s0, 0(sp)
	sw	s1, 4(sp)
	csrr	t0, mtvec
	sw	t0, 8(sp)
	csrr	t0, mscratch
	sw	t0, 12(sp)
	la	t0, saved
	sw	sp, 0(t0)
	li	s0, 0
	li	s1, 0
	la	t0, exception + 3
	csrw	mtvec, t0
	la	t0, table
	csrw	CSR_MTVT, t0
	la	t0, back
	ori	t0, t0, MFASTIRQ_ENABLE | MFASTIRQ_NEST
	csrw	CSR_MFASTIRQ, t0
	li	t0, TRAPEZE_CLIC_BASE
	li	t1, 8
	sb	t1, 0(t0)
	li	t0, SOURCE(FIRST)
	li	t1, 0x40030100
	sw	t1, 0(t0)
	li	t1, 0x80030100
	sw	t1, 4 * (SECOND - FIRST)(t0)
	li	sp, HOLE
	csrsi	mstatus, MSTATUS_MIE

	/* Waits until all handlers have run, and a little longer. */
	li	a1, 200000
1:	addi	a1, a1, -1
	beqz	a1, 2f
	li	t0, RUNS
	bne	s0, t0, 1b
	li	a1, 100
3:	addi	a1, a1, -1
	bnez	a1, 3b

2:	csrci	mstatus, MSTATUS_MIE
	la	t0, saved
	lw	sp, 0(t0)
	mv	a0, s0
	beq	s0, s1, 5f
	li	a0, 255
5:
	lw	t0, 12(sp)
	csrw	mscratch, t0
	lw	t0, 8(sp)
	csrw	mtvec, t0
	lw	s1, 4(sp)
	lw	s0, 0(sp)
	addi	sp, sp, 16
	ret

	.balign	4
handler:
	.rept	100
	nop
	.endr
	addi	s0, s0, 1
	.balign	4
back:
	.word	TRAPEZE_EMRET_MATCH		/* emret */

	/* Changes only s1, because exceptions come between any two instructions. */
	.balign	64
exception:
	csrw	mscratch, t0
	addi	s1, s1, 1
	csrr	t0, mcause
	slli	t0, t0, 20
	srli	t0, t0, 20
	addi	t0, t0, -MCAUSE_FRAME_STORE_FAULT
	bnez	t0, 4f
	csrr	t0, mscratch
	mret
4:	li	s0, 0
	j	2b

	.section .data
	.balign	4
saved:
	.word	0
	.balign	256
table:
	.rept	64
	.word	handler
	.endr
