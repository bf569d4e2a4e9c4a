/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Exceptions. Without a handler each is reported on the console and ends the run with a
 * non-zero code.
 *
 * Exceptions run on a stack of their own, with interrupts disabled. An exception inside the handler
 * ends the run. While an exception handler is not running, mscratch belongs to the HAL.
 */
#ifndef TRAPEZE_TRAP_H_
#define TRAPEZE_TRAP_H_

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/abi.h>
#include <trapeze/csr.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The interrupted context. A change that the handler makes here takes effect at its return; x[0] is not used. */
struct trap_frame {
	csr_value_t x[TRAPEZE_REGISTER_COUNT]; /**< integer registers, x[2] = sp */
	csr_value_t mepc;
	csr_value_t mcause;
	csr_value_t mtval;
	csr_value_t mstatus;
};

/**
 * An exception handler.
 *
 * @param frame the interrupted context; to go on behind the trapping instruction, see trap_skip()
 * @return false if the exception is not expected: it is then reported and ends the run
 */
typedef bool (*trap_handler_t)(struct trap_frame *frame);

/** Installs @p handler for every exception, or none with NULL, and returns the one before. */
trap_handler_t trap_set_handler(trap_handler_t handler);

/** Moves mepc behind the instruction it points to. Reads that instruction, so not for fetch faults.
 */
void trap_skip(struct trap_frame *frame);

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_TRAP_H_ */
