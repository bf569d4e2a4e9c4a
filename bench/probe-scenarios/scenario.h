/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What the measuring program and the Linux program beside it say to each other, one byte a message.
 */
#ifndef SCENARIO_H_
#define SCENARIO_H_

/** From Linux: its load runs, the measurement may begin. */
#define SCENARIO_GO     'g'
/** To Linux: it is over, and everything was right, or something was not. */
#define SCENARIO_DONE   'd'
#define SCENARIO_FAILED 'f'

#endif /* SCENARIO_H_ */
