/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * CLIC and fastirq schemes: the table of handlers.
 *
 * Entry n of the table holds the address of `__irq_vector_<n>`, a weak symbol. A program that defines it (see
 * TRAPEZE_IRQ_DIRECT in trapeze/irq.h) gets that interrupt without any code in between, if the source is vectored. The
 * default is a generic handler: it calls the function given to irq_connect(), and higher levels preempt it. With the
 * CLIC the generic handler is __irq_entry. With fastirq, where every handler is a C function, it is the function of
 * this interrupt in __irq_functions.
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
 * It stands in the same file as the table, because a name that the table defines as weak is weak only there.
 */
#ifndef TRAPEZE_IRQ_FAST
	.section .text.irq, "ax", @progbits
	.balign	4
	.globl	__irq_entry
	.type	__irq_entry, @function
__irq_entry:
	TRAPEZE_UNWIND_BEGIN
	TRAPEZE_IRQ_ENTER
	call	__irq_dispatch		/* argument: mcause */
	TRAPEZE_IRQ_LEAVE
	TRAPEZE_UNWIND_END
	.size	__irq_entry, . - __irq_entry
#endif

/* ---------------------------------------------------------------- generic handlers that are C functions
 * One for each interrupt: when it begins, a higher level may already have preempted it, and then mcause names another
 * interrupt. __irq_dispatch uses the lower 12 bits of its argument. Each takes 8 bytes, see fw/hal/src/irq_clic.c.
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
