/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief End of a run through the host port.
 */
#ifndef TRAPEZE_EXIT_H_
#define TRAPEZE_EXIT_H_

#ifdef __cplusplus
extern "C" {
#endif

/** Exit codes the HAL itself uses; a program is free to use 1 to 63. */
enum {
	TRAPEZE_EXIT_EXCEPTION = 64, /**< plus mcause: an exception nobody handled */
	TRAPEZE_EXIT_NESTED = 95,    /**< an exception inside the exception handler */
	TRAPEZE_EXIT_INTERRUPT = 96, /**< plus number modulo 32: an interrupt nobody handled */
	TRAPEZE_EXIT_SIGNAL = 128, /**< plus its number: a signal nobody handled; abort() is 134 */
	TRAPEZE_EXIT_ASSERTION = 134, /**< a failed assertion */
};

/**
 * Ends the run at once, without running atexit() functions; main's return value and exit() end here
 * too.
 *
 * @param code 0 for success; the host port carries 16 bits, a host's shell shows the lower 8.
 */
__attribute__((noreturn)) void trapeze_exit(int code);

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_EXIT_H_ */
