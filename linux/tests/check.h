/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/** @file @brief Checks of a test program of one source file: a line for each that fails. */
#ifndef CHECK_H_
#define CHECK_H_

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

static int failures;

#define CHECK(what)                                                                                \
	do {                                                                                       \
		if (!(what)) {                                                                     \
			printf("line %d: %s is not so\n", __LINE__, #what);                        \
			failures++;                                                                \
		}                                                                                  \
	} while (0)

#define CHECK_EQUAL(is, wanted) check_equal(__LINE__, #is, (int64_t)(is), (int64_t)(wanted))

static void check_equal(int line, const char *what, int64_t is, int64_t wanted)
{
	if (is != wanted) {
		printf("line %d: %s is %" PRId64 " (0x%" PRIx64 "), not %" PRId64 "\n", line, what, is,
		       (uint64_t)is, wanted);
		failures++;
	}
}

#endif /* CHECK_H_ */
