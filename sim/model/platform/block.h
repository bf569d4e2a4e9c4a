// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What the blocks of the latency measurement have in common. Each is asked what its registers and outputs say in a
 * cycle, and then makes the step to the next cycle, with what comes to it in this one.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_BLOCK_H
#define TRAPEZE_SIM_MODEL_PLATFORM_BLOCK_H

#include <cstdint>

namespace trapeze::model {

/** A write to a register of a block. */
struct BlockWrite {
  std::uint32_t offset;
  std::uint32_t value;
};

/** Xorshift32 (Marsaglia, Xorshift RNGs, 2003; shifts 13, 17, 5). */
constexpr std::uint32_t next_random(std::uint32_t state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_BLOCK_H
