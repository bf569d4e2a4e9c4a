/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The interrupted program, background.S or another one, and the C part of the handlers, service.S.
 */
#ifndef BACKGROUND_H_
#define BACKGROUND_H_

#include <stdint.h>

/** The computation between markers 2 and 3: returns its checksum. */
uint32_t background(void);

/**
 * The result of every program, as QEMU computes it for background.S, and the model for the others. It is another one
 * for RV32I, which has more registers.
 */
#ifdef __riscv_32e
#define BACKGROUND_CHECKSUM 0x1012f2f4U
#else
#define BACKGROUND_CHECKSUM 0x00a92a3dU
#endif

/** The C part of the handlers. */
void interrupt_service(void);

/** Interrupts taken, counted by the handlers. */
extern volatile uint32_t interrupt_count;

#endif /* BACKGROUND_H_ */
