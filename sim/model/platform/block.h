// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Parts that the blocks of the latency measurement have in common. A block is simulated cycle by cycle: first its
 * registers and outputs of the cycle are read, then step() takes its inputs of the cycle and goes to the next one.
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
