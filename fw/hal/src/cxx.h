/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* What the functions that compiled C++ calls share: their names, and how they fail. */
#ifndef TRAPEZE_CXX_H_
#define TRAPEZE_CXX_H_

#include <stdlib.h>

#include <trapeze/console.h>

#define NAMED(symbol) __asm__(symbol) __attribute__((weak))

/* size_t in a name: unsigned int, or unsigned long with RV64. */
#if __riscv_xlen == 64
#define SIZE "m"
#else
#define SIZE "j"
#endif

/* Say what is wrong, and end the run as abort() does. */
__attribute__((noreturn)) static inline void cxx_fail(const char *what)
{
	console_puts("\ntrapeze: C++: ");
	console_puts(what);
	abort();
}

#endif /* TRAPEZE_CXX_H_ */
