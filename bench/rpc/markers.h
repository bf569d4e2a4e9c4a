/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Markers of the experiment: begin and end of a program's calls, and of its job's computation.
 *
 * Markers of a call stand directly before and after its `ecall`. trapeze.experiments.rpc.measure has the same numbers.
 */
#ifndef MARKERS_H_
#define MARKERS_H_

#include <trapeze/marker.h>

#define MARKER_OPEN        10
#define MARKER_OPEN_END    11
#define MARKER_MMAP        12
#define MARKER_MMAP_END    13
#define MARKER_PAGE        14
#define MARKER_PAGE_END    15
#define MARKER_RUN         16
#define MARKER_RUN_END     17
#define MARKER_COMPUTE     18
#define MARKER_COMPUTE_END 19

#endif /* MARKERS_H_ */
