/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief The interrupted program, background.S or another one, and the handlers' side of it,
 * service.S.
 */
#ifndef BACKGROUND_H_
#define BACKGROUND_H_

#include <stdint.h>

/** The computation between markers 2 and 3: returns its checksum. */
uint32_t background(void);

/** What every program returns, as QEMU computes it of background.S, and the model of the others; it
 * differs because RV32I has more registers. */
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
