/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Calls of the firmware below supervisor mode, for programs that are a cell of the hypervisor
 * (fw/hypervisor/README.md).
 *
 * Source: RISC-V Supervisor Binary Interface Specification 1.0. trapeze/cell.h has what that leaves to a platform.
 */
#ifndef TRAPEZE_SBI_CALL_H_
#define TRAPEZE_SBI_CALL_H_

#include <trapeze/csr.h>

#if !defined(TRAPEZE_SUPERVISOR) || __riscv_xlen != 64
#error "for programs in supervisor mode: trapeze cc --cell"
#endif

/** Extensions that the HAL calls. */
enum sbi_extension {
	SBI_CONSOLE_PUTCHAR = 0x1, /**< of version 0.1: no function, and no second result */
	SBI_CONSOLE_GETCHAR = 0x2, /**< likewise */
	SBI_TIME = 0x54494d45,
	SBI_RESET = 0x53525354,
};

/** Results of a call. */
struct sbi_answer {
	long error; /**< 0: none; of calls of version 0.1 the result */
	long value;
};

/** Makes a call with two arguments. */
static inline struct sbi_answer sbi_call(unsigned long extension, unsigned long function,
					 unsigned long first, unsigned long second)
{
	register unsigned long a0 __asm__("a0") = first;
	register unsigned long a1 __asm__("a1") = second;
	register unsigned long a6 __asm__("a6") = function;
	register unsigned long a7 __asm__("a7") = extension;

	__asm__ volatile("ecall" : "+r"(a0), "+r"(a1) : "r"(a6), "r"(a7) : "memory");
	return (struct sbi_answer){.error = (long)a0, .value = (long)a1};
}

#endif /* TRAPEZE_SBI_CALL_H_ */
