/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Monitor, schemes `paper` and `soft`: the table of handlers. The program can write the CLIC's registers and so make a
 * source vectored. The table leads every such interrupt to monitor_trap, where the others go, too. The watchdog's
 * source has an entry of its own, which tells it apart from the program's interrupts.
 */
#include <trapeze/csr.h>

#include "watchdog.h"

	.section .text.monitor_expired, "ax", @progbits
	.type	monitor_expired, @function
monitor_expired:
	csrw	CSR_MSCRATCH, sp
	j	monitor_unknown
	.size	monitor_expired, . - monitor_expired

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
	.rept	MONITOR_WATCHDOG_SOURCE
	.word	monitor_trap
	.endr
	.word	monitor_expired
	.rept	IRQ_COUNT - MONITOR_WATCHDOG_SOURCE - 1
	.word	monitor_trap
	.endr
	.size	monitor_table, . - monitor_table
