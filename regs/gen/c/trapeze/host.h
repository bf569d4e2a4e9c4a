/*
 * Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Generated from the SystemRDL in regs by regs/generate.py; do not edit.
 */

/**
 * @file
 * @brief Host port: registers of the Trapeze SoC. Offsets without a register read as zero and ignore writes.
 *
 * Only macros, usable from C, C++ and assembly.
 */

#ifndef TRAPEZE_HOST_H_
#define TRAPEZE_HOST_H_

/** Finisher (w), 32 bits: offset. The first write of `fail` or `pass` ends the run; later ones are ignored. */
#define TRAPEZE_HOST_FINISHER_OFFSET 0x00
/** Finisher: value after reset. */
#define TRAPEZE_HOST_FINISHER_RESET 0x0
/** Field (w): what to do; other values are ignored. */
#define TRAPEZE_HOST_FINISHER_STATUS_MASK 0xffff
#define TRAPEZE_HOST_FINISHER_STATUS_SHIFT 0
/** Field value: end with the exit code in `code`. */
#define TRAPEZE_HOST_FINISHER_STATUS_FAIL 0x3333
/** Field value: end with exit code 0. */
#define TRAPEZE_HOST_FINISHER_STATUS_PASS 0x5555
/** Field value: not supported, ignored. */
#define TRAPEZE_HOST_FINISHER_STATUS_RESET 0x7777
/** Field (w): exit code with `fail`. */
#define TRAPEZE_HOST_FINISHER_CODE_MASK 0xffff0000
#define TRAPEZE_HOST_FINISHER_CODE_SHIFT 16

#endif /* TRAPEZE_HOST_H_ */
