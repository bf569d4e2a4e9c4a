/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
#ifndef STAMPS_H_
#define STAMPS_H_

/** Presses of the button that the program waits for. */
#ifndef PRESSES
#define PRESSES 128
#endif

#endif /* STAMPS_H_ */
