// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The policy of time that counts instructions: each takes one unit, so does the entry into an interrupt handler, and
 * waiting in wfi lasts until something happens. It stands in for cycles where a program needs time to pass, and says
 * nothing about the hardware's.
 */
#ifndef TRAPEZE_SIM_MODEL_TIME_INSTRUCTION_COUNT_H
#define TRAPEZE_SIM_MODEL_TIME_INSTRUCTION_COUNT_H

#include <algorithm>
#include <cstdint>

#include "model/time/instant.h"

namespace trapeze::model {

struct InstructionCount {
  /** Time that `instructions` take. */
  static constexpr std::uint64_t of(std::uint64_t instructions) { return instructions; }
  /** Time that the entry into an interrupt handler takes. */
  static constexpr std::uint64_t kEntry = 1;
  /** How far a hart runs before another one has its turn, where several are asked to take turns of `asked`
   * instructions. With one each they meet in as many ways as one instruction a cycle allows. */
  static constexpr std::uint64_t turn(unsigned harts, std::uint64_t asked) {
    return harts > 1 ? std::max<std::uint64_t>(asked, 1) : kNever;
  }
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_TIME_INSTRUCTION_COUNT_H
