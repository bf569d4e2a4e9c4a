/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Start-up and interrupts of LiteX's software on Trapeze.
 *
 * mcause names the line, so the function that irq_attach() has put into LiteX's table is called at once. LiteX's isr(),
 * which reports lines without a function, is called where there is none. An exception is reported and ends the program.
 */
#include <csr-defs.h>
#include <generated/mem.h>

	.globl	_start
_start:
	j	crt_init

#define FRAME 80

	.macro	registers instruction
	\instruction ra, 0(sp)
	\instruction t0, 4(sp)
	\instruction t1, 8(sp)
	\instruction t2, 12(sp)
	\instruction a0, 16(sp)
	\instruction a1, 20(sp)
	\instruction a2, 24(sp)
	\instruction a3, 28(sp)
	\instruction a4, 32(sp)
	\instruction a5, 36(sp)
	\instruction a6, 40(sp)
	\instruction a7, 44(sp)
	\instruction t3, 48(sp)
	\instruction t4, 52(sp)
	\instruction t5, 56(sp)
	\instruction t6, 60(sp)
	.endm

	/* t0: the function of the line that mcause names, or isr. */
	.macro	function
	csrr	t0, mcause
	andi	t0, t0, 0x3f
	addi	t0, t0, -TRAPEZE_FIRST_LINE
	slli	t0, t0, 2
	la	t1, irq_table
	add	t0, t0, t1
	lw	t0, 0(t0)
	.endm

/* ---------------------------------------------------------------- all traps, but interrupts with fastirq */
	.balign	64
trap_entry:
	addi	sp, sp, -FRAME
	registers sw
	csrr	t0, mcause
	bgez	t0, exception
	function
	beqz	t0, 1f
	jalr	t0
	j	2f
1:	call	isr
2:	registers lw
	addi	sp, sp, FRAME
	mret

exception:
	la	a0, message
	csrr	a1, mcause
	slli	a1, a1, 20		/* the code: the CLIC keeps more in mcause */
	srli	a1, a1, 20
	csrr	a2, mepc
	csrr	a3, mtval
	call	printf
1:	j	1b

	.section .rodata.exception, "a", @progbits
message:
	.asciz	"\n*** exception %lu at %08lx, mtval %08lx ***\n"
	.section .text, "ax", @progbits

#ifdef TRAPEZE_LITEX_FAST
/* ---------------------------------------------------------------- interrupts with fastirq
 * Every line is vectored to the same place. The core has saved the registers, and ra is the address of emret: the
 * function returns to the interrupted program by itself.
 */
	.balign	4
fast_entry:
	function
	beqz	t0, 1f
	jr	t0
1:	tail	isr

	.balign	4
fast_return:
	.word	0xbc200073		/* emret */

	.balign	256			/* 64 entries */
fast_table:
	.rept	64
	.word	fast_entry
	.endr
#endif

/* ---------------------------------------------------------------- start */
crt_init:
	csrci	mstatus, CSR_MSTATUS_MIE
	la	sp, _fstack
	la	t0, trap_entry
	csrw	mtvec, t0

#ifdef TRAPEZE_LITEX_CLIC
	/* A program that the BIOS has started finds the CLIC as the BIOS left it. ie 0, level-triggered. */
	li	t0, CLIC_BASE + TRAPEZE_CLIC_SOURCE(TRAPEZE_FIRST_LINE)
	li	t1, CLIC_BASE + TRAPEZE_CLIC_SOURCE(TRAPEZE_FIRST_LINE + TRAPEZE_CLIC_LINES)
#ifdef TRAPEZE_LITEX_FAST
	li	t2, 0xc1 << 16		/* machine mode, vectored */
#else
	li	t2, 0xc0 << 16		/* machine mode */
#endif
1:	sw	t2, 0(t0)
	addi	t0, t0, 4
	bne	t0, t1, 1b
#else
	csrw	mie, zero
#endif

#ifdef TRAPEZE_LITEX_FAST
	la	t0, fast_table
	csrw	0x307, t0		/* mtvt */
	la	t0, fast_return
	ori	t0, t0, 1		/* enabled, without nesting */
	csrw	0x7c0, t0		/* mfastirq */
#endif

	la	t0, _fdata
	la	t1, _edata
	la	t2, _fdata_rom
1:	beq	t0, t1, 2f
	lw	t3, 0(t2)
	sw	t3, 0(t0)
	addi	t0, t0, 4
	addi	t2, t2, 4
	j	1b

2:	la	t0, _fbss
	la	t1, _ebss
1:	beq	t0, t1, 2f
	sw	zero, 0(t0)
	addi	t0, t0, 4
	j	1b

2:	call	main
3:	j	3b

#ifdef TRAPEZE_LITEX_CLIC
	.section .bss.trapeze_irq_mask, "aw", @nobits
	.balign	4
	.globl	trapeze_irq_mask
trapeze_irq_mask:
	.zero	4
#endif
