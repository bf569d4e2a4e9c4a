/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Accesses to all 4096 CSR numbers, and csr_sweep(), which executes all of them in the mode that its caller chooses.
 */
#include <trapeze/csr.h>

#define CSRS 4096

	.text
	.option norvc
	.balign 4

/* The access to CSR n stands at offset 16 n: a read by csrrs with x0. */
	.globl csr_reads
csr_reads:
	.set	n, 0
	.rept	CSRS
	.4byte	0x00002573 | (n << 20)	/* csrrs a0, n, x0 */
	ret
	nop
	nop
	.set	n, n + 1
	.endr

/* The same for writes: csrrw writes back the value that a read has just returned, so that little changes. */
	.globl csr_writes
csr_writes:
	.set	n, 0
	.rept	CSRS
	.4byte	0x00002573 | (n << 20)	/* csrrs a0, n, x0 */
	li	a5, 0
	.4byte	0x00051573 | (n << 20)	/* csrrw a0, n, a0 */
	ret
	.set	n, n + 1
	.endr

/* void csr_sweep(const void *accesses, uint8_t *causes, uint32_t mpp): executes each access of a table, and stores the
 * cause of its exception in its byte, 0 if there was none. mpp is the mode, as mstatus.MPP.
 */
	.globl csr_sweep
	.type csr_sweep, @function
csr_sweep:
	addi	sp, sp, -32
	sw	ra, 0(sp)
	sw	s0, 4(sp)
	sw	s1, 8(sp)
	csrr	t0, CSR_MTVEC
	sw	t0, 12(sp)
	csrr	t0, CSR_MSCRATCH	/* an access to mscratch exchanges it */
	sw	t0, 16(sp)
	mv	s0, a0
	mv	s1, a1
	la	t0, csr_trap
	csrw	CSR_MTVEC, t0
	li	t0, -1			/* opens everything to user mode; without rows the writes are left out */
	csrw	CSR_PMPADDR0 + 15, t0
	li	t0, (PMPCFG_A_NAPOT | PMPCFG_R | PMPCFG_W | PMPCFG_X) << 24
	csrs	CSR_PMPCFG0 + 3, t0
	li	t0, MSTATUS_MPP | MSTATUS_MPIE
	csrc	CSR_MSTATUS, t0
	csrs	CSR_MSTATUS, a2
	la	t0, 1f
	csrw	CSR_MEPC, t0
	mret
1:	li	t0, CSRS
2:	li	a5, 0
	jalr	s0
	sb	a5, 0(s1)
	addi	s0, s0, 16
	addi	s1, s1, 1
	addi	t0, t0, -1
	bnez	t0, 2b
	ecall

/* The ecall at the end comes here, in machine mode. */
csr_swept:
	lw	t0, 16(sp)
	csrw	CSR_MSCRATCH, t0
	lw	t0, 12(sp)
	csrw	CSR_MTVEC, t0
	lw	s1, 8(sp)
	lw	s0, 4(sp)
	lw	ra, 0(sp)
	addi	sp, sp, 32
	ret
	.size csr_sweep, . - csr_sweep

/* Other exceptions: a5 gets the cause, and the instruction is skipped. */
	.balign 64
csr_trap:
	csrr	a5, CSR_MCAUSE
	andi	a5, a5, 0x3ff
	addi	a4, a5, -MCAUSE_ECALL_U
	beqz	a4, 1f
	addi	a4, a5, -MCAUSE_ECALL_M
	beqz	a4, 1f
	csrr	a4, CSR_MEPC
	addi	a4, a4, 4
	csrw	CSR_MEPC, a4
	mret
1:	la	a4, csr_swept
	csrw	CSR_MEPC, a4
	li	a4, MSTATUS_MPP
	csrs	CSR_MSTATUS, a4
	mret
