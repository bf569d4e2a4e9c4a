/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The first instructions of a job: its variables that are 0, and main() with the arguments that the server has put into a0
 * to a3. Without such variables nothing is stored, so that such a job needs no WRITE on its code. main() returns to where
 * the server has said.
 */
	.section .job.start, "ax", @progbits
	.globl	_start
	.type	_start, @function
_start:
	la	t0, __bss_start
	la	t1, __bss_end
	beq	t0, t1, 2f
1:	sd	zero, 0(t0)
	addi	t0, t0, 8
	bltu	t0, t1, 1b
2:	la	tp, __tls_base
	tail	main
	.size	_start, . - _start
