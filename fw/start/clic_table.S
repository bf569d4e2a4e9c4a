/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * CLIC and fastirq schemes: the table of handlers.
 *
 * Entry n of the table holds the address of `__irq_vector_<n>`, a weak symbol: a program that defines it (see
 * TRAPEZE_IRQ_DIRECT in trapeze/irq.h) takes that interrupt without any code in between, if it is vectored. The default
 * is a generic handler, which calls what irq_connect() was given and lets higher levels preempt it: with the CLIC
 * __irq_entry, with fastirq, where any handler is a C function, the one for this interrupt.
 */
#include <trapeze/csr.h>
#include <trapeze/irq_nest.h>

/* ---------------------------------------------------------------- table, as large as its alignment */
	.section .vectors, "aw", @progbits
	.set	table_size, 64
	.rept	8
	.if	table_size < 4 * IRQ_COUNT
	.set	table_size, 2 * table_size
	.endif
	.endr
	.balign	table_size
	.globl	__irq_vectors
	.type	__irq_vectors, @object
__irq_vectors:
	.altmacro
	.macro	vector_entry n
	.weak	__irq_vector_\n
	.word	__irq_vector_\n
#ifdef TRAPEZE_IRQ_FAST
	.set	__irq_vector_\n, __irq_functions + 8 * \n
#else
	.set	__irq_vector_\n, __irq_entry
#endif
	.endm
	.set	entry, 0
	.rept	IRQ_COUNT
	vector_entry %entry
	.set	entry, entry + 1
	.endr
	.noaltmacro
	.size	__irq_vectors, . - __irq_vectors

/* ---------------------------------------------------------------- generic handler of a vectored interrupt
 * In the same file as the table, as its names are weak only so.
 */
#ifndef TRAPEZE_IRQ_FAST
	.section .text.irq, "ax", @progbits
	.balign	4
	.globl	__irq_entry
	.type	__irq_entry, @function
__irq_entry:
	TRAPEZE_UNWIND_BEGIN
	TRAPEZE_IRQ_ENTER
	call	__irq_dispatch		/* (mcause) */
	TRAPEZE_IRQ_LEAVE
	TRAPEZE_UNWIND_END
	.size	__irq_entry, . - __irq_entry
#endif

/* ---------------------------------------------------------------- generic handlers that are C functions
 * One for each interrupt, as a higher level may have preempted it by then, and mcause does not name it any more. It is
 * the number's lower 12 bits that count. 8 bytes each, see fw/hal/src/irq_clic.c.
 */
	.section .text.irq.functions, "ax", @progbits
	.balign	8
	.globl	__irq_functions
	.type	__irq_functions, @function
__irq_functions:
	.option	push
	.option	norvc
	.option	norelax
	.set	entry, 0
	.rept	IRQ_COUNT
	li	a0, (entry ^ 0x800) - 0x800
	j	__irq_dispatch
	.set	entry, entry + 1
	.endr
	.option	pop
	.size	__irq_functions, . - __irq_functions
