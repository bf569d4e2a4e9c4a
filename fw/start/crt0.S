/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Start-up code: registers, trap vector, .bss, constructors, main, exit. Runs on RV32I, RV32E and RV64I. The ELF loader
 * has put every other section in its place. Every hart begins here; all but hart 0 go on in harts.S.
 */
#ifdef TRAPEZE_IRQ_CLIC
#include <trapeze/clic.h>
#ifdef TRAPEZE_USER
#include <trapeze/clic_user.h>
#endif
#include <trapeze/map.h>
#endif
#include <trapeze/hart.h>
#include <trapeze/mode.h>
#ifdef TRAPEZE_MONITOR_CALLS
#include <trapeze/monitor.h>
#endif

	.section .init.start, "ax", @progbits
	.globl _start
	.type _start, @function
_start:
	.cfi_sections .debug_frame
	.cfi_startproc
	.cfi_undefined ra		/* _start has no caller */
	.option push
	.option norelax
	la	gp, __global_pointer$
	.option pop
#ifndef TRAPEZE_USER
	csrw	CSR_XIE, zero
#endif
	la	sp, __stack_top
	la	tp, __tls_base
#ifdef __riscv_flen
	li	t0, MSTATUS_FS_INITIAL
	csrs	CSR_XSTATUS, t0
	fscsr	zero
#endif

#ifdef TRAPEZE_MONITOR_CALLS
	/* Traps go to the monitor, which only needs to know the entry of the program's interrupts. */
	la	t0, __irq_user_entry
	sw	t0, monitor_page + MONITOR_PAGE_HANDLER, t1
#else
#ifndef TRAPEZE_USER
	/* Exceptions have a stack of their own. mscratch holds its top, except inside an exception handler. */
	la	t0, __exception_stack_top
#if TRAPEZE_HARTS > 1
	/* Both stacks of hart k lie k stack sizes from those of hart 0 (harts.ld). */
	csrr	a0, CSR_MHARTID
	li	t1, TRAPEZE_HARTS
	bgeu	a0, t1, __hart_absent
	lui	t1, %hi(__hart_stack_size)
	addi	t1, t1, %lo(__hart_stack_size)
	lui	t2, %hi(__hart_exception_stack_size)
	addi	t2, t2, %lo(__hart_exception_stack_size)
	beqz	a0, 2f
1:	sub	sp, sp, t1
	add	t0, t0, t2
	addi	a0, a0, -1
	bnez	a0, 1b
2:
#endif
	csrw	CSR_XSCRATCH, t0
#endif /* TRAPEZE_USER */
#ifdef TRAPEZE_IRQ_CLIC
	la	t0, __trapeze_entry + MTVEC_MODE_CLIC
	csrw	CSR_XTVEC, t0
	la	t0, __irq_vectors
	csrw	CSR_XTVT, t0
	/* Every source is vectored and belongs to machine mode until the program changes that. A write through user
	 * mode's view leaves the mode as it is.
	 */
	li	t0, TRAPEZE_XCLIC_BASE + TRAPEZE_CLIC_IRQ_ATTR_OFFSET
	li	t1, TRAPEZE_XCLIC_BASE + TRAPEZE_CLIC_IRQ_ATTR_OFFSET + IRQ_COUNT * TRAPEZE_CLIC_IRQ_ATTR_STRIDE
	/* Three instructions of two bytes, instead of one of four, keep the loop aligned. That saves a cycle for each
	 * source.
	 */
	li	t2, TRAPEZE_CLIC_IRQ_ATTR_MODE_MASK >> TRAPEZE_CLIC_IRQ_ATTR_MODE_SHIFT
	slli	t2, t2, TRAPEZE_CLIC_IRQ_ATTR_MODE_SHIFT
	addi	t2, t2, TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK
1:	sb	t2, 0(t0)
	addi	t0, t0, TRAPEZE_CLIC_IRQ_ATTR_STRIDE
	bltu	t0, t1, 1b
#else
	la	t0, __trapeze_vectors + MTVEC_MODE_VECTORED
	csrw	CSR_XTVEC, t0
#endif
#endif /* TRAPEZE_MONITOR_CALLS */

#if TRAPEZE_HARTS > 1
	csrr	t0, CSR_MHARTID
	bnez	t0, __hart_secondary
	la	a0, __shared_start
	la	a1, __shared_end
	bgeu	a0, a1, 2f
1:	sw	zero, 0(a0)
	addi	a0, a0, 4
	bltu	a0, a1, 1b
2:
	jal	__hart_memory_init
	call	__libc_init_array
	call	__hart_release
	lui	t0, %hi(__main_hart)
	addi	t0, t0, %lo(__main_hart)
	beqz	t0, __hart_main
	tail	__hart_park

/* Initialises the data memory that this hart sees, if no other hart has done so. */
	.globl	__hart_memory_init
	.type __hart_memory_init, @function
	.cfi_endproc
__hart_memory_init:
	.cfi_startproc
#endif
	la	a0, __bss_start
	la	a1, __bss_end
	bgeu	a0, a1, 2f
1:	sw	zero, 0(a0)
	addi	a0, a0, 4
	bltu	a0, a1, 1b
2:
#if TRAPEZE_HARTS > 1
	li	a0, 1
	sw	a0, __hart_memory_ready, a1
	ret
	.cfi_endproc

	.globl	__hart_main
__hart_main:
	.cfi_startproc
	.cfi_undefined ra
#else
	call	__libc_init_array
#endif
	li	a0, 0			/* argc */
	li	a1, 0			/* argv */
	li	a2, 0			/* envp */
	call	main
	tail	exit
	.cfi_endproc
	.size _start, . - _start

/* The C library calls these two around constructors and destructors. They are empty, because everything to do is in the
 * arrays.
 */
	.section .text._init, "ax", @progbits
	.weak _init
	.weak _fini
	.type _init, @function
	.type _fini, @function
_init:
_fini:
	ret
