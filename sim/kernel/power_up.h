// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Contents of memories at power-on, which may be anything.
 */
#ifndef TRAPEZE_SIM_KERNEL_POWER_UP_H
#define TRAPEZE_SIM_KERNEL_POWER_UP_H

#include <cstdint>

#include "kernel/dynamic_engine.h"

namespace trapeze {

/** Fills all memories with bytes that follow from `seed`; every engine of a configuration gets the same ones. 0:
 * memories stay as they are. Call it before programs are loaded. */
void fill_memories(Engine& engine, std::uint32_t seed);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_POWER_UP_H
