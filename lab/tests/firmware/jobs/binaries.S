/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The jobs, as `trapeze cc --job` has made them, in a folder of -I.
 */
	.macro	job name, file
	.balign	8
	.globl	\name\()_begin
	.globl	\name\()_end
\name\()_begin:
	.incbin	"\file"
	.balign	64	/* regions are whole lines */
\name\()_end:
	.endm

	.section .rodata
	job	many, "many.bin"
	job	sum, "sum.bin"
	job	called, "called.bin"
