/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Control and status registers: numbers and fields (trapeze/isa.h, generated), and access from C.
 * Also included by assembly sources.
 *
 * Source: RISC-V Privileged Architecture, chapters 2 and 3; Unprivileged ISA, chapter Zicsr.
 */
#ifndef TRAPEZE_CSR_H_
#define TRAPEZE_CSR_H_

#include <trapeze/isa.h>

/* clang-format off */

/* Interrupt numbers, beside those of trapeze/isa.h: exception codes in mcause; bit numbers in mie and mip, or sources of the CLIC. The build says how
 * many platform lines there are, where they begin, and how many sources the CLIC has; those above the lines have no
 * wire, but software can make them pending.
 */
#ifndef TRAPEZE_IRQ_LINES
#define TRAPEZE_IRQ_LINES 16
#endif
#ifndef TRAPEZE_IRQ_LINE_BASE
#define TRAPEZE_IRQ_LINE_BASE TRAPEZE_IRQ_PLATFORM_0
#endif
#ifndef TRAPEZE_IRQ_SOURCES
#define TRAPEZE_IRQ_SOURCES (TRAPEZE_IRQ_LINE_BASE + TRAPEZE_IRQ_LINES)
#endif
#ifdef TRAPEZE_SUPERVISOR
/* A program in supervisor mode has that mode's interrupts, by the same names. */
#undef IRQ_SOFTWARE
#undef IRQ_TIMER
#undef IRQ_EXTERNAL
#define IRQ_SOFTWARE IRQ_SUPERVISOR_SOFTWARE
#define IRQ_TIMER    IRQ_SUPERVISOR_TIMER
#define IRQ_EXTERNAL IRQ_SUPERVISOR_EXTERNAL
#endif
#define IRQ_PLATFORM(n)   (TRAPEZE_IRQ_LINE_BASE + (n))
#define IRQ_COUNT         TRAPEZE_IRQ_SOURCES

/* clang-format on */

#ifndef __ASSEMBLER__

#include <stdint.h>

/** Type of the value of a CSR or an integer register. */
#if __riscv_xlen == 64
typedef uint64_t csr_value_t;
#else
typedef uint32_t csr_value_t;
#endif

#define TRAPEZE_STRINGIFY_(x) #x
#define TRAPEZE_STRINGIFY(x)  TRAPEZE_STRINGIFY_(x)

/** Reads a CSR; @p csr is one of the CSR_ constants or a literal number. */
#define csr_read(csr)                                                                              \
	__extension__({                                                                            \
		csr_value_t value_;                                                                \
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
		csr_value_t in_ = (csr_value_t)(value);                                            \
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
		csr_value_t in_ = (csr_value_t)(value);                                            \
		csr_value_t out_;                                                                  \
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
