/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief FreeRTOS port, user mode: what a task that does not run has on its stack, in bytes from sp.
 * For C and assembly. All registers but sp, gp and tp, in the order of their numbers, then mepc: every
 * switch is one by interrupt.
 */
#ifndef PORT_FRAME_H_
#define PORT_FRAME_H_

#define PORT_RA 0 /* x1; x5 is the next */
#define PORT_A0 24
#ifdef __riscv_32e
#define PORT_MEPC  48
#define PORT_FRAME 64
#else
#define PORT_MEPC  112
#define PORT_FRAME 128
#endif

#endif /* PORT_FRAME_H_ */
