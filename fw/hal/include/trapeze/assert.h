/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Assertions that stay in every build: a failed one names itself on the console and ends the
 * run.
 */
#ifndef TRAPEZE_ASSERT_H_
#define TRAPEZE_ASSERT_H_

#ifdef __cplusplus
extern "C" {
#endif

/** Reports a failed assertion and ends the run with TRAPEZE_EXIT_ASSERTION. <assert.h> ends here
 * too. */
__attribute__((noreturn)) void __assert_func(const char *file, int line, const char *function,
					     const char *expression);

/** Ends the run unless @p condition holds. It is evaluated once. */
#define TRAPEZE_ASSERT(condition)                                                                  \
	((condition) ? (void)0 : __assert_func(__FILE__, __LINE__, __func__, #condition))

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_ASSERT_H_ */
