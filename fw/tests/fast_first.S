/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: the first instruction of a handler may read ra, whether vectored (entry fetched ahead or not), not vectored
  or chained
config: [mcu-fastirq, mcu-fastirq-e, mcu-fastirq-1bank, mcu-fastirq-inplace, mcu-fastirq-shared]
engines: [rtl]
qemu: it has no fastirq
exit: 6
*/
#include "raise.h"
#include <trapeze/csr.h>

	.text
	.globl	main
	.type	main, @function
main:
	addi	sp, sp, -32
	sw	ra, 0(sp)
	sw	s0, 4(sp)
	sw	s1, 8(sp)
	li	s0, 0
	la	t0, table
	csrw	CSR_MTVT, t0
	la	t0, direct + 3
	csrrw	s1, mtvec, t0
	la	t0, back
	ori	t0, t0, MFASTIRQ_ENABLE
	csrw	CSR_MFASTIRQ, t0
	li	ra, 0

	/* Vectored, and the entry has been fetched ahead. */
	csrci	mstatus, MSTATUS_MIE
	raise	40, VECTORED
	csrsi	mstatus, MSTATUS_MIE
	nop
	nop

	/* Vectored, and the entry has not been fetched ahead. */
	raise	41, VECTORED

	/* Not vectored. */
	raise	42, DIRECT

	/* Chained, vectored or not. */
	csrci	mstatus, MSTATUS_MIE
	raise	43, VECTORED
	raise	44, DIRECT
	raise	45, VECTORED
	csrsi	mstatus, MSTATUS_MIE
	nop
	nop

	mv	a0, s0
	csrw	mtvec, s1
	lw	ra, 0(sp)
	lw	s0, 4(sp)
	lw	s1, 8(sp)
	addi	sp, sp, 32
	ret

	/* As GCC compiles an empty function. */
	.balign	64
direct:
	ret
	.balign	4
back:
	addi	s0, s0, 1
	csrr	t0, mcause		/* the edge of a source that is not vectored is still pending */
	slli	t0, t0, 20
	srli	t0, t0, 18
	li	t1, SOURCE(0)
	add	t0, t0, t1
	sb	zero, 0(t0)
	lbu	t0, 0(t0)
	.word	TRAPEZE_EMRET_MATCH		/* emret */

	.section .data
	.balign	256
table:
	.rept	64
	.word	direct
	.endr
