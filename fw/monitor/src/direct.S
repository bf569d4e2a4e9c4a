/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Monitor, scheme `direct`: what traps is an exception, and the end of the program.
 */
	.globl	monitor_is_direct
	.set	monitor_is_direct, 1

	.section .text.monitor_trap, "ax", @progbits
	.balign	64
	.globl	monitor_trap
	.type	monitor_trap, @function
monitor_trap:
	j	monitor_unknown
	.size	monitor_trap, . - monitor_trap
