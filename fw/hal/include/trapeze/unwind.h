/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief For assembly sources: call-frame information, from which a debugger in a handler finds the interrupted code.
 *
 * It goes to .debug_frame, which is not loaded, and adds no instruction. The code of a handler stands between
 * TRAPEZE_UNWIND_BEGIN and TRAPEZE_UNWIND_END; there, the macros of trapeze/irq_nest.h record where they have saved
 * each register. Elsewhere they record nothing, so that a handler may use them without this header.
 * @code
 * handler:
 *         TRAPEZE_UNWIND_BEGIN
 *         TRAPEZE_IRQ_ENTER
 *         call    c_function
 *         TRAPEZE_IRQ_LEAVE
 *         TRAPEZE_UNWIND_END
 * @endcode
 *
 * Sources: DWARF 4, section 6.4; RISC-V ABIs, chapter DWARF: a CSR is column 4096 + its number.
 */
#ifndef TRAPEZE_UNWIND_H_
#define TRAPEZE_UNWIND_H_

#ifdef __ASSEMBLER__

#include <trapeze/abi.h>
#include <trapeze/mode.h>

/* clang-format off */

#define TRAPEZE_COLUMN(csr) (0x1000 + (csr))

	.cfi_sections .debug_frame
	.set	trapeze_unwind, 0

/* Begins the code of a handler. It returns to the address in the CSR `epc`; calls that it makes do not change that. */
	.macro TRAPEZE_UNWIND_BEGIN epc=CSR_XEPC
	.cfi_startproc
	.cfi_signal_frame
	.cfi_return_column TRAPEZE_COLUMN(\epc)
	.set	trapeze_unwind, 1
	.endm

	.macro TRAPEZE_UNWIND_END
	.set	trapeze_unwind, 0
	.cfi_endproc
	.endm

/* sp is \bytes below the interrupted one. */
	.macro TRAPEZE_UNWIND_SP bytes
	.if	trapeze_unwind
	.cfi_def_cfa_offset \bytes
	.endif
	.endm

/* Remembers the state at the beginning, and returns to it: from there on sp and all registers are the interrupted
 * ones. */
	.macro TRAPEZE_UNWIND_ENTRY
	.if	trapeze_unwind
	.cfi_remember_state
	.endif
	.endm

	.macro TRAPEZE_UNWIND_LEFT
	.if	trapeze_unwind
	.cfi_restore_state
	.endif
	.endm

/* A register, or by its column a CSR, is saved \offset bytes above the lower end of a frame of \frame bytes, whose upper end is
 * the interrupted sp. */
	.macro TRAPEZE_UNWIND_AT register offset frame
	.if	trapeze_unwind
	.cfi_offset \register, (\offset) - (\frame)
	.endif
	.endm

/* a0, a1 and the other caller-saved registers lie at the lower end of a frame, in the order of an interrupt's frame. */
	.macro TRAPEZE_UNWIND_A0_A1 frame
	TRAPEZE_UNWIND_AT a0, TRAPEZE_IRQ_FRAME_A0 * TRAPEZE_REG / 4, \frame
	TRAPEZE_UNWIND_AT a1, TRAPEZE_IRQ_FRAME_A1 * TRAPEZE_REG / 4, \frame
	.endm

	.macro TRAPEZE_UNWIND_CALLER frame
	TRAPEZE_UNWIND_AT ra, TRAPEZE_IRQ_FRAME_RA * TRAPEZE_REG / 4, \frame
	TRAPEZE_UNWIND_AT t0, TRAPEZE_IRQ_FRAME_T0 * TRAPEZE_REG / 4, \frame
	TRAPEZE_UNWIND_AT t1, TRAPEZE_IRQ_FRAME_T1 * TRAPEZE_REG / 4, \frame
	TRAPEZE_UNWIND_AT t2, TRAPEZE_IRQ_FRAME_T2 * TRAPEZE_REG / 4, \frame
	TRAPEZE_UNWIND_A0_A1 \frame
	TRAPEZE_UNWIND_AT a2, TRAPEZE_IRQ_FRAME_A2 * TRAPEZE_REG / 4, \frame
	TRAPEZE_UNWIND_AT a3, TRAPEZE_IRQ_FRAME_A3 * TRAPEZE_REG / 4, \frame
	TRAPEZE_UNWIND_AT a4, TRAPEZE_IRQ_FRAME_A4 * TRAPEZE_REG / 4, \frame
	TRAPEZE_UNWIND_AT a5, TRAPEZE_IRQ_FRAME_A5 * TRAPEZE_REG / 4, \frame
#ifndef __riscv_32e
	TRAPEZE_UNWIND_AT a6, TRAPEZE_IRQ_FRAME_A6 * TRAPEZE_REG / 4, \frame
	TRAPEZE_UNWIND_AT a7, TRAPEZE_IRQ_FRAME_A7 * TRAPEZE_REG / 4, \frame
	TRAPEZE_UNWIND_AT t3, TRAPEZE_IRQ_FRAME_T3 * TRAPEZE_REG / 4, \frame
	TRAPEZE_UNWIND_AT t4, TRAPEZE_IRQ_FRAME_T4 * TRAPEZE_REG / 4, \frame
	TRAPEZE_UNWIND_AT t5, TRAPEZE_IRQ_FRAME_T5 * TRAPEZE_REG / 4, \frame
	TRAPEZE_UNWIND_AT t6, TRAPEZE_IRQ_FRAME_T6 * TRAPEZE_REG / 4, \frame
#endif
	.endm

/* The whole frame of an interrupt is at sp, saved by software or by fastirq. */
	.macro TRAPEZE_UNWIND_FRAME epc=CSR_XEPC
	TRAPEZE_UNWIND_SP TRAPEZE_IRQ_FRAME
	TRAPEZE_UNWIND_CALLER TRAPEZE_IRQ_FRAME
	TRAPEZE_UNWIND_AT TRAPEZE_COLUMN(\epc), TRAPEZE_IRQ_FRAME_MEPC, TRAPEZE_IRQ_FRAME
	.endm

/* In an expression of DWARF: the value of a CSR. */
#define TRAPEZE_UNWIND_CSR(csr) 0x92, 0x80 | (TRAPEZE_COLUMN(csr) & 0x7f), TRAPEZE_COLUMN(csr) >> 7, 0

/* The interrupted sp, where the core has put the frame of an interrupt at sp (fastirq). An interrupt of user mode changes to another
 * stack and leaves the user's sp in mscratch; mpp in the frame's mcause tells. An expression of DWARF, written out like those below,
 * to which the upper end of the frame is given: 0x12, copy; 0x08, 0x1c, 0x06: minus so many bytes, the word there; 0x4c, 0x25, 0x33,
 * 0x1a: its bits 29 and 28; 0x33, 0x29: machine mode; 0x28, branch if so; 0x13, drop. 0x16, 2: the value of register 2 (sp).
 * Interrupts of user mode itself, and those that a monitor hands on, stay on its stack. */
#define TRAPEZE_UNWIND_STACK \
	0x16, 2, 19, 0x12, 0x08, TRAPEZE_IRQ_FRAME - TRAPEZE_IRQ_FRAME_MCAUSE, 0x1c, 0x06, 0x4c, 0x25, 0x33, 0x1a, 0x33, 0x29, \
	0x28, 5, 0, 0x13, TRAPEZE_UNWIND_CSR(CSR_MSCRATCH)

	.macro TRAPEZE_UNWIND_FAST_FRAME
	TRAPEZE_UNWIND_FRAME
#ifndef TRAPEZE_USER
	.cfi_escape TRAPEZE_UNWIND_STACK
#endif
	.endm

/* Whom C functions return to at the end of an interrupt with fastirq: \name, one instruction of 4 bytes, where the frame is at
 * sp. A debugger looks one byte in front of a return address, for the call that it belongs to, so this has to cover that
 * byte, too, which the directives cannot say: the entry of .debug_frame is written out. Column 64 is that of the address
 * gone back to. 0x80 + N and 0x05, N: register N, or column N, is saved so many words below the interrupted sp. \changes_stack: handlers of
 * machine mode, which may have interrupted user mode. */
	.macro TRAPEZE_UNWIND_RETURN name changes_stack=0
	.pushsection .debug_frame, "", @progbits
	.balign	4
91:	.4byte	93f - 92f
92:	.4byte	0xffffffff		/* common part */
	.byte	3			/* version */
	.asciz	"S"			/* the code to which a handler returns was interrupted; it has not called the
                                           handler */
	.uleb128 1			/* unit of addresses */
	.sleb128 -4			/* unit of offsets */
	.uleb128 64
	.byte	0x0c, 2, TRAPEZE_IRQ_FRAME	/* the interrupted sp is so many bytes above sp (x2) */
	TRAPEZE_UNWIND_WORD 1, TRAPEZE_IRQ_FRAME_RA
	TRAPEZE_UNWIND_WORD 5, TRAPEZE_IRQ_FRAME_T0
	TRAPEZE_UNWIND_WORD 6, TRAPEZE_IRQ_FRAME_T1
	TRAPEZE_UNWIND_WORD 7, TRAPEZE_IRQ_FRAME_T2
	TRAPEZE_UNWIND_WORD 10, TRAPEZE_IRQ_FRAME_A0
	TRAPEZE_UNWIND_WORD 11, TRAPEZE_IRQ_FRAME_A1
	TRAPEZE_UNWIND_WORD 12, TRAPEZE_IRQ_FRAME_A2
	TRAPEZE_UNWIND_WORD 13, TRAPEZE_IRQ_FRAME_A3
	TRAPEZE_UNWIND_WORD 14, TRAPEZE_IRQ_FRAME_A4
	TRAPEZE_UNWIND_WORD 15, TRAPEZE_IRQ_FRAME_A5
#ifndef __riscv_32e
	TRAPEZE_UNWIND_WORD 16, TRAPEZE_IRQ_FRAME_A6
	TRAPEZE_UNWIND_WORD 17, TRAPEZE_IRQ_FRAME_A7
	TRAPEZE_UNWIND_WORD 28, TRAPEZE_IRQ_FRAME_T3
	TRAPEZE_UNWIND_WORD 29, TRAPEZE_IRQ_FRAME_T4
	TRAPEZE_UNWIND_WORD 30, TRAPEZE_IRQ_FRAME_T5
	TRAPEZE_UNWIND_WORD 31, TRAPEZE_IRQ_FRAME_T6
#endif
	.byte	0x05, 64, (TRAPEZE_IRQ_FRAME - TRAPEZE_IRQ_FRAME_MEPC) / 4
	.if	\changes_stack
	.byte	TRAPEZE_UNWIND_STACK
	.endif
	.balign	4
93:	.4byte	95f - 94f
94:	.4byte	91b			/* part of \name */
	.4byte	\name - 1
	.4byte	5
95:
	.popsection
	.endm

	.macro TRAPEZE_UNWIND_WORD number offset
	.byte	0x80 + \number, (TRAPEZE_IRQ_FRAME - (\offset)) / 4
	.endm

/* In the entry of fastirq, where it uses sp and mscratch, whether it was no interrupt of user mode, which leaves the user's sp in the
 * other one of the two: of mcause's four highest bits, without minhv (0x3b, 0x1a), is only the first set? 0x38, 0x2e: is it not 8. */
#define TRAPEZE_UNWIND_SAME_STACK TRAPEZE_UNWIND_CSR(CSR_XCAUSE), 0x4c, 0x25, 0x3b, 0x1a, 0x38, 0x2e

/* The entry of fastirq that exceptions and interrupts share, while software has saved nothing. mcause says which it was: of an
 * interrupt the core has put a frame below the interrupted sp and given the registers to the handler, of an exception there is
 * none. \base is where the lower end is: sp, or mscratch (which is not an operand of the directives, so these are expressions of
 * DWARF written out). 0x92: a column; 0x4f, 0x25: its highest bit; 0x08, 0x1e: times so many bytes; 0x22: plus; 0x28, 0x2f:
 * branch if not zero, skip; 0x1c, 0x06: minus, the word there. */
	.macro TRAPEZE_UNWIND_SHARED base
	.ifc \base, sp
	.cfi_escape 0x0f, 12, TRAPEZE_UNWIND_CSR(CSR_XCAUSE), 0x4f, 0x25, 0x08, TRAPEZE_IRQ_FRAME, 0x1e, 0x72, 0, 0x22
	.cfi_escape 0x16, 2, 18, TRAPEZE_UNWIND_SAME_STACK, 0x28, 5, 0, 0x13, TRAPEZE_UNWIND_CSR(CSR_MSCRATCH)
	.else
	.cfi_escape 0x0f, 14, TRAPEZE_UNWIND_CSR(CSR_XCAUSE), 0x4f, 0x25, 0x08, TRAPEZE_IRQ_FRAME, 0x1e, TRAPEZE_UNWIND_CSR(CSR_MSCRATCH), 0x22
	.cfi_escape 0x16, 2, 16, TRAPEZE_UNWIND_SAME_STACK, 0x28, 3, 0, 0x13, 0x72, 0
	.endif
	.endm

/* Register \number there: of an interrupt at \offset in the frame, of an exception unchanged. */
	.macro TRAPEZE_UNWIND_EITHER number offset
	.cfi_escape 0x16, \number, 18, TRAPEZE_UNWIND_CSR(CSR_XCAUSE), 0x4f, 0x25, 0x28, 5, 0, 0x70 + \number, 0, 0x2f, 4, 0, 0x08, TRAPEZE_IRQ_FRAME - (\offset), 0x1c, 0x06
	.endm

/* ra there, once it has another value: of an exception it waits below sp, which is that of the exception stack. */
	.macro TRAPEZE_UNWIND_RA_WAITS
	.cfi_escape 0x16, 1, 19, TRAPEZE_UNWIND_CSR(CSR_XCAUSE), 0x4f, 0x25, 0x28, 6, 0, 0x72, 0x7c, 0x06, 0x2f, 4, 0, 0x08, TRAPEZE_IRQ_FRAME - TRAPEZE_IRQ_FRAME_RA, 0x1c, 0x06
	.endm

/* clang-format on */

#endif /* __ASSEMBLER__ */

#endif /* TRAPEZE_UNWIND_H_ */
