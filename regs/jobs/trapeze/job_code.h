/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/**
 * @file
 * @brief What the code of a job says of itself: 32-bit words behind its first instruction, which jumps over them. For C and assembly.
 *
 * `trapeze cc --job` writes it, the driver reads it, so that code for a hart of another width is not run. docs/remote-jobs.md.
 */
#ifndef TRAPEZE_JOB_CODE_H_
#define TRAPEZE_JOB_CODE_H_

#define TRAPEZE_JOB_CODE_MAGIC 0x434a5a54 /* "TZJC" */

/* In bytes from the first instruction on. */
#define TRAPEZE_JOB_CODE_MAGIC_AT 4
#define TRAPEZE_JOB_CODE_WIDTH_AT 8  /* of the hart's integer registers, in bits: 32 or 64 */
#define TRAPEZE_JOB_CODE_BYTES	  12

#endif /* TRAPEZE_JOB_CODE_H_ */
