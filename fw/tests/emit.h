/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Code that a test writes at run time, one instruction after the other.
 */
#ifndef TRAPEZE_EMIT_H_
#define TRAPEZE_EMIT_H_

#include <stdint.h>

static uint32_t emitted[64];
static uint32_t emit_count; /* instructions in `emitted` */

static inline void emit(uint32_t instruction)
{
	emitted[emit_count++] = instruction;
}

static inline void emit_nops(uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		emit(0x00000013U);
	}
}

#endif /* TRAPEZE_EMIT_H_ */
