/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The first instructions of a job: its variables that are 0, and main() with the arguments that the server has put into a0
 * to a3, behind what the code says of itself. Without such variables nothing is stored, so that such a job needs no WRITE on its code. main() returns to where
 * the server has said.
 */
#include <trapeze/abi.h>
#include <trapeze/job_code.h>

	.section .job.start, "ax", @progbits
	.globl	_start
	.type	_start, @function
_start:
	.option	push
	.option	norvc
	j	begin
	.option	pop
	.org	_start + TRAPEZE_JOB_CODE_MAGIC_AT
	.word	TRAPEZE_JOB_CODE_MAGIC
	.org	_start + TRAPEZE_JOB_CODE_WIDTH_AT
	.word	__riscv_xlen
	.org	_start + TRAPEZE_JOB_CODE_BYTES
begin:
	la	t0, __bss_start
	la	t1, __bss_end
	beq	t0, t1, 2f
1:	REG_S	zero, 0(t0)
	addi	t0, t0, TRAPEZE_REG
	bltu	t0, t1, 1b
2:	la	tp, __tls_base
#ifdef JOB_RESULT_32
	/* A result of 32 bits is half of what the server takes. Its return address is on the stack meanwhile. */
	addi	sp, sp, -16
	REG_S	ra, 0(sp)
	call	main
	REG_L	ra, 0(sp)
	addi	sp, sp, 16
	srai	a1, a0, 31
	ret
#else
	tail	main
#endif
	.size	_start, . - _start
