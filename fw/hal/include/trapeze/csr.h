/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Control and status registers: numbers, fields, and access from C. Also included by
 * assembly sources.
 *
 * Source: RISC-V Privileged Architecture, chapters 2 and 3; Unprivileged ISA, chapter Zicsr.
 */
#ifndef TRAPEZE_CSR_H_
#define TRAPEZE_CSR_H_

/* clang-format off */

#define CSR_CYCLE         0xC00
#define CSR_TIME          0xC01
#define CSR_INSTRET       0xC02
#define CSR_CYCLEH        0xC80
#define CSR_TIMEH         0xC81
#define CSR_INSTRETH      0xC82
#define CSR_MSTATUS       0x300
#define CSR_MISA          0x301
#define CSR_MIE           0x304
#define CSR_MTVEC         0x305
#define CSR_MCOUNTEREN    0x306
#define CSR_MSTATUSH      0x310
#define CSR_MCOUNTINHIBIT 0x320
#define CSR_MHPMEVENT3    0x323
#define CSR_MSCRATCH      0x340
#define CSR_MEPC          0x341
#define CSR_MCAUSE        0x342
#define CSR_MTVAL         0x343
#define CSR_MIP           0x344
#define CSR_MCYCLE        0xB00
#define CSR_MINSTRET      0xB02
#define CSR_MHPMCOUNTER3  0xB03
#define CSR_MCYCLEH       0xB80
#define CSR_MINSTRETH     0xB82
#define CSR_MVENDORID     0xF11
#define CSR_MARCHID       0xF12
#define CSR_MIMPID        0xF13
#define CSR_MHARTID       0xF14
#define CSR_MCONFIGPTR    0xF15

/* CLIC (Fast Interrupts v0.10); jalmnxti is Nuclei's. GCC 12 does not know their names. */
#define CSR_MTVT          0x307
#define CSR_MNXTI         0x345
#define CSR_MINTTHRESH    0x347
#define CSR_MSCRATCHCSW   0x348
#define CSR_MSCRATCHCSWL  0x349
#define CSR_JALMNXTI      0x7ED
#define CSR_MINTSTATUS    0xFB1

/* fastirq (docs/fastirq.md). */
#define CSR_MFASTIRQ      0x7C0
#define CSR_MFRAME        0x7C1

/* mstatus */
#define MSTATUS_MIE       0x00000008
#define MSTATUS_MPIE      0x00000080
#define MSTATUS_MPP       0x00001800
#define MSTATUS_MPP_U     0x00000000
#define MSTATUS_MPP_M     0x00001800
#define MSTATUS_MPRV      0x00020000
#define MSTATUS_TW        0x00200000

/* mtvec */
#define MTVEC_MODE_DIRECT   0
#define MTVEC_MODE_VECTORED 1
#define MTVEC_MODE_CLIC     3

/* mcountinhibit, mcounteren */
#define COUNTER_CY        0x1
#define COUNTER_TM        0x2
#define COUNTER_IR        0x4

/* mcause */
#define MCAUSE_INTERRUPT            0x80000000
#define MCAUSE_MINHV                0x40000000 /* with the CLIC, as the fields down to the level */
#define MCAUSE_MPP_SHIFT            28
#define MCAUSE_MPP                  0x30000000 /* mirrors mstatus.MPP */
#define MCAUSE_MPIE                 0x08000000 /* mirrors mstatus.MPIE */
#define MCAUSE_MPIL_SHIFT           16
#define MCAUSE_MPIL                 0x00ff0000
#define MCAUSE_CODE                 0x00000fff /* exception code or interrupt number */
#define MCAUSE_FETCH_MISALIGNED     0
#define MCAUSE_FETCH_FAULT          1
#define MCAUSE_ILLEGAL_INSTRUCTION  2
#define MCAUSE_BREAKPOINT           3
#define MCAUSE_LOAD_MISALIGNED      4
#define MCAUSE_LOAD_FAULT           5
#define MCAUSE_STORE_MISALIGNED     6
#define MCAUSE_STORE_FAULT          7
#define MCAUSE_ECALL_U              8
#define MCAUSE_ECALL_M              11
#define MCAUSE_FRAME_STORE_FAULT    24 /* fastirq */
#define MCAUSE_FRAME_LOAD_FAULT     25 /* fastirq */

/* mintstatus */
#define MINTSTATUS_MIL_SHIFT        24

/* mfastirq */
#define MFASTIRQ_ENABLE             0x00000001
#define MFASTIRQ_NEST               0x00000002
#define MFASTIRQ_LINK               0xfffffffc

/* The instruction emret, 0xBC200073: in assembly sources a statement, in C its text for asm. */
#ifdef __ASSEMBLER__
#define TRAPEZE_EMRET               .insn i 0x73, 0, x0, x0, -1086
#else
#define TRAPEZE_EMRET               ".insn i 0x73, 0, x0, x0, -1086"
#endif

/* Interrupt numbers: exception codes in mcause; bit numbers in mie and mip, or sources of the CLIC. The build says how
 * many platform lines there are, where they begin, and how many sources the CLIC has; those above the lines have no
 * wire, but software can make them pending.
 */
#ifndef TRAPEZE_IRQ_LINES
#define TRAPEZE_IRQ_LINES 16
#endif
#ifndef TRAPEZE_IRQ_LINE_BASE
#define TRAPEZE_IRQ_LINE_BASE 16
#endif
#ifndef TRAPEZE_IRQ_SOURCES
#define TRAPEZE_IRQ_SOURCES (TRAPEZE_IRQ_LINE_BASE + TRAPEZE_IRQ_LINES)
#endif
#define IRQ_SOFTWARE      3
#define IRQ_TIMER         7
#define IRQ_EXTERNAL      11
#define IRQ_PLATFORM(n)   (TRAPEZE_IRQ_LINE_BASE + (n))
#define IRQ_COUNT         TRAPEZE_IRQ_SOURCES

/* clang-format on */

#ifndef __ASSEMBLER__

#include <stdint.h>

#define TRAPEZE_STRINGIFY_(x) #x
#define TRAPEZE_STRINGIFY(x)  TRAPEZE_STRINGIFY_(x)

/** Reads a CSR; @p csr is one of the CSR_ constants or a literal number. */
#define csr_read(csr)                                                                              \
	__extension__({                                                                            \
		uint32_t value_;                                                                   \
		__asm__ volatile("csrr %0, " TRAPEZE_STRINGIFY(csr) : "=r"(value_) : : "memory");  \
		value_;                                                                            \
	})

/*
 * GCC 12 cannot move the constant 0x800 into an operand of an asm statement with Zbs enabled
 * ("unrecognizable insn"), so that value, such as the bit of IRQ_EXTERNAL, is loaded within the
 * statement.
 */
#define TRAPEZE_CSR_AWKWARD_ 0x800U

#define TRAPEZE_CSR_OUT_(op, csr, value)                                                           \
	do {                                                                                       \
		uint32_t in_ = (uint32_t)(value);                                                  \
		if (__builtin_constant_p(in_) && in_ == TRAPEZE_CSR_AWKWARD_) {                    \
			__asm__ volatile("li %0, 0x800\n\t" op " " TRAPEZE_STRINGIFY(csr) ", %0"   \
					 : "=r"(in_)                                               \
					 :                                                         \
					 : "memory");                                              \
		} else {                                                                           \
			__asm__ volatile(op " " TRAPEZE_STRINGIFY(csr) ", %0"                      \
					 :                                                         \
					 : "rK"(in_)                                               \
					 : "memory");                                              \
		}                                                                                  \
	} while (0)

#define TRAPEZE_CSR_INOUT_(op, csr, value)                                                         \
	__extension__({                                                                            \
		uint32_t in_ = (uint32_t)(value);                                                  \
		uint32_t out_;                                                                     \
		if (__builtin_constant_p(in_) && in_ == TRAPEZE_CSR_AWKWARD_) {                    \
			__asm__ volatile("li %0, 0x800\n\t" op                                     \
					 " %0, " TRAPEZE_STRINGIFY(csr) ", %0"                     \
					 : "=r"(out_)                                              \
					 :                                                         \
					 : "memory");                                              \
		} else {                                                                           \
			__asm__ volatile(op " %0, " TRAPEZE_STRINGIFY(csr) ", %1"                  \
					 : "=r"(out_)                                              \
					 : "rK"(in_)                                               \
					 : "memory");                                              \
		}                                                                                  \
		out_;                                                                              \
	})

/** Writes a CSR. */
#define csr_write(csr, value) TRAPEZE_CSR_OUT_("csrw", csr, value)

/** Sets the bits of @p mask in a CSR. */
#define csr_set(csr, mask) TRAPEZE_CSR_OUT_("csrs", csr, mask)

/** Clears the bits of @p mask in a CSR. */
#define csr_clear(csr, mask) TRAPEZE_CSR_OUT_("csrc", csr, mask)

/** Writes a CSR and returns its old value. */
#define csr_swap(csr, value) TRAPEZE_CSR_INOUT_("csrrw", csr, value)

/** Sets bits in a CSR and returns its old value. */
#define csr_read_set(csr, mask) TRAPEZE_CSR_INOUT_("csrrs", csr, mask)

/** Clears bits in a CSR and returns its old value. */
#define csr_read_clear(csr, mask) TRAPEZE_CSR_INOUT_("csrrc", csr, mask)

#endif /* __ASSEMBLER__ */

#endif /* TRAPEZE_CSR_H_ */
