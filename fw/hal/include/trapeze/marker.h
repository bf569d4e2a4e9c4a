/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Markers: points in the program whose cycles the simulator records.
 *
 * A marker is the HINT `slti x0, x0, n`: it changes no architectural state and is seen in the
 * retirement record. TRAPEZE_MARKER_HANDLER counts for the interrupt whose handler is the innermost
 * one that has been entered and has not returned, once.
 */
#ifndef TRAPEZE_MARKER_H_
#define TRAPEZE_MARKER_H_

#include <trapeze/isa.h>

/** Places marker @p n, a constant from 1 to 2047. Those from TRAPEZE_MARKER_FREE on are free
 * for programs; trapeze/isa.h says what the others mean. */
#ifdef __ASSEMBLER__
#define TRAPEZE_MARKER(n) slti x0, x0, n
#else
#define TRAPEZE_MARKER(n) __asm__ volatile("slti x0, x0, %0" : : "i"(n) : "memory")
#endif

#endif /* TRAPEZE_MARKER_H_ */
