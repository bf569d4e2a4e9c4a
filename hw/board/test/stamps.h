/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */
#ifndef STAMPS_H_
#define STAMPS_H_

/** Presses of the button that the program waits for. */
#define PRESSES 48

#endif /* STAMPS_H_ */
