/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief Markers of the experiment: begin and end of a program's calls, of its job's computation, and of the same
 * computation on Linux' hart.
 *
 * Markers of a call stand directly before and after its `ecall`. measure.py, critical_path.py and break_even.py of
 * trapeze.experiments.rpc have the same numbers.
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
#define MARKER_HERE        20
#define MARKER_HERE_END    21

#endif /* MARKERS_H_ */
