/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * FreeRTOS ports: where the function of a task returns to, which it must not.
 * A debugger's backtrace of a task ends here, because ra is undefined. It looks for what is known about a return address
 * one byte in front of it: the address of freertos_task_returned is behind the routine's first instruction.
 */
	.cfi_sections .debug_frame
	.section .text.freertos_task_returned, "ax", @progbits
	.balign	4
	.type	freertos_task_end, @function
	.cfi_startproc
	.cfi_undefined ra
freertos_task_end:
	nop
	.globl	freertos_task_returned
freertos_task_returned:
	la	a0, place
	la	a1, condition
	call	freertos_assert_failed
	.cfi_endproc
	.size	freertos_task_end, . - freertos_task_end

	.section .rodata.freertos_task_returned, "a", @progbits
place:
	.string	"its end"
condition:
	.string	"tasks do not return"
