/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * @brief What the measuring program and the Linux program beside it say to each other: by rpmsg
 * one byte a message, or by a page.
 */
#ifndef SCENARIO_H_
#define SCENARIO_H_

/** From Linux: its load runs, the measurement may begin. */
#define SCENARIO_GO     'g'
/** To Linux: it is over, and everything was right, or something was not. */
#define SCENARIO_DONE   'd'
#define SCENARIO_FAILED 'f'

/** The page that Linux and a cell share: what each has said last, 0 at first. */
struct scenario_page {
	volatile unsigned int from_linux;
	volatile unsigned int from_cell;
};

#endif /* SCENARIO_H_ */
