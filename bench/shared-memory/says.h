/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What Linux says to the real-time hart, one byte a message, beside that of ../probe-scenarios/scenario.h; and the
 * markers of Linux' work.
 */
#ifndef SAYS_H_
#define SAYS_H_

/** Access memory as often as possible, from now on. */
#define SAYS_HAMMER 'h'

/* trapeze.experiments.shared_memory has the same numbers. */
#define MARKER_SILENT       10
#define MARKER_SILENT_END   11
#define MARKER_HAMMERED     12
#define MARKER_HAMMERED_END 13

#endif /* SAYS_H_ */
