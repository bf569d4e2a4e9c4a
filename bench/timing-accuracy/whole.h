/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief A whole program: what whole.c measures once, from cold caches.
 */
#ifndef TRAPEZE_BENCH_TIMING_ACCURACY_WHOLE_H_
#define TRAPEZE_BENCH_TIMING_ACCURACY_WHOLE_H_

#include <stdint.h>

/** Makes its input. It is not measured. */
void prepare(void);

/**
 * @brief The program.
 * @return a checksum of all that it computed.
 */
uint64_t work(void);

#endif /* TRAPEZE_BENCH_TIMING_ACCURACY_WHOLE_H_ */
