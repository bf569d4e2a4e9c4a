/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Markers: points in the program whose cycles the simulator records.
 *
 * A marker is the HINT `slti x0, x0, n`: it changes no architectural state and is seen in the
 * retirement record.
 */
#ifndef TRAPEZE_MARKER_H_
#define TRAPEZE_MARKER_H_

/**
 * From here on an interrupt handler may call a C function. It counts for the interrupt whose handler is the innermost
 * one that has been entered and has not returned, once.
 */
#define TRAPEZE_MARKER_HANDLER          1
/** The background window, in which interrupts are injected, begins. */
#define TRAPEZE_MARKER_BACKGROUND_BEGIN 2
/** The background window ends. */
#define TRAPEZE_MARKER_BACKGROUND_END   3
/** Stands before the first and behind every iteration of a benchmark. */
#define TRAPEZE_MARKER_ITERATION        4
/** The last instruction of an interrupt handler's C function before it returns. */
#define TRAPEZE_MARKER_HANDLER_END      5

/** Places marker @p n, a constant from 1 to 2047. From 6 on they are free for programs. */
#ifdef __ASSEMBLER__
#define TRAPEZE_MARKER(n) slti x0, x0, n
#else
#define TRAPEZE_MARKER(n) __asm__ volatile("slti x0, x0, %0" : : "i"(n) : "memory")
#endif

#endif /* TRAPEZE_MARKER_H_ */
