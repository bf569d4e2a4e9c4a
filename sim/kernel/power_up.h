// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Memories as they are when power comes on: they hold anything.
 */
#ifndef TRAPEZE_SIM_KERNEL_POWER_UP_H
#define TRAPEZE_SIM_KERNEL_POWER_UP_H

#include <cstdint>

#include "kernel/dynamic_engine.h"

namespace trapeze {

/** Fill all memories with bytes that follow from `seed`, the same ones in every engine of a configuration; 0: leave
 * them as they are. Programs are loaded behind it. */
void fill_memories(Engine& engine, std::uint32_t seed);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_POWER_UP_H
