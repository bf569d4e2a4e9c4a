/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief What the job that is prepared for calls does, by the call's first argument.
 */
#ifndef CALLED_H_
#define CALLED_H_

enum called {
	CALLED_RESULT, /**< returns the second argument plus three times the third */
	CALLED_STORE,  /**< stores to the address in the second */
	CALLED_BREAK,  /**< ebreak */
	CALLED_ECALL,  /**< ecall, where main() does not return */
	CALLED_SPIN,   /**< so many turns, then returns how many registers have changed meanwhile */
	CALLED_COUNT,  /**< returns how often it has been called with this */
	CALLED_ADD,    /**< adds the second argument to word 0 of its buffer, and returns the sum */
	CALLED_REGISTERS, /**< stores the registers in which it has begun, but for those of its first instructions */
	CALLED_FAR, /**< jumps to where main() would return to, with the second argument in a0 */
};

/** Turns of a spin that does not end. */
#define CALLED_EVER 0xffffffffUL

#endif /* CALLED_H_ */
