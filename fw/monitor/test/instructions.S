/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * For the hostile program: accesses to every CSR, and other instructions that user mode may not execute. Each is
 * followed by a return, and takes 8 bytes with it.
 */
#include <trapeze/isa.h>

	.section .text.hostile, "ax", @progbits
	.option	norvc
	.balign	8
	.globl	hostile_csrs
hostile_csrs:
	.set	number, 0
	.rept	4096
	csrrw	a0, number, a1
	ret
	csrrs	a0, number, a1
	ret
	csrrc	a0, number, a1
	ret
	.set	number, number + 1
	.endr

	.globl	hostile_words
hostile_words:
	.irp	word, 0x30200073, 0x10200073, TRAPEZE_URET_MATCH, 0x7b200073, TRAPEZE_EMRET_MATCH, TRAPEZE_EURET_MATCH, \
		0x10500073, 0x00100073, \
		0x12000073, 0x0000100f, 0x0ff0000f, 0x00000000, 0xffffffff, 0x100525af, 0x18b5252f, 0x00b5252f, \
		0x08b5252f, 0x60b5252f, 0x7ed51573, 0x34551573, 0x70200073, 0x0000006b, 0x0000000b, 0x0000002b
	.4byte	\word
	ret
	.endr
	.globl	hostile_words_end
hostile_words_end:
