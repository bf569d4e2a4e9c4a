/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Monitor, schemes `paper` and `soft`: the table of handlers. The program reaches the CLIC's registers there. Should it make
 * a source vectored, that leads to the same place as without. The watchdog's source has an entry of its own, so that no
 * interrupt of the program is held against it.
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
