/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief What the job of many cases does, by the first word of its input.
 */
#ifndef CASES_H_
#define CASES_H_

enum job_case {
	CASE_RESULT,    /**< returns word 1 */
	CASE_ARGUMENTS, /**< returns a bit for each argument that is not what it should be */
	CASE_STORE,     /**< stores to the address in word 1 */
	CASE_LOAD,      /**< loads from it */
	CASE_JUMP,      /**< jumps to it */
	CASE_RECURSION, /**< for ever */
	CASE_ECALL,     /**< with word 1 in a7 */
	CASE_CSR_READ,  /**< mstatus */
	CASE_CSR_WRITE, /**< pmpcfg0 */
	CASE_MRET,
	CASE_BREAK, /**< ebreak */
	CASE_RUIN,  /**< writes all registers, then stores to the address in word 1 */
	CASE_FLOAT, /**< writes all floating-point registers after word 1, spins, returns how many are different */
	CASE_SPIN,  /**< for ever */
	CASE_FRESH, /**< returns what it finds of others in registers and on its stack */
};

#endif /* CASES_H_ */
