/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Monitor, schemes `paper` and `soft`: the table of handlers. The program reaches the CLIC's registers there. Should it make
 * a source vectored, that leads to the same place as without.
 */
#include <trapeze/csr.h>

	.section .text.monitor_table, "ax", @progbits
	.set	table_size, 64
	.rept	8
	.if	table_size < 4 * IRQ_COUNT
	.set	table_size, 2 * table_size
	.endif
	.endr
	.balign	table_size
	.globl	monitor_table
	.type	monitor_table, @object
monitor_table:
	.rept	IRQ_COUNT
	.word	monitor_trap
	.endr
	.size	monitor_table, . - monitor_table
