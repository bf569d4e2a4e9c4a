/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Where main() of a job returns to: all that jobs may execute beside their code, in a row of memory protection of its own
 * (job.c). What follows is machine mode's.
 */
	.section .text.job_return, "ax", @progbits
	.balign	64
	.globl	job_return
	.type	job_return, @function
job_return:
	.option	norvc
	ecall
	.zero	60
	.size	job_return, . - job_return
