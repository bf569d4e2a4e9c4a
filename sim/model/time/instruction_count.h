// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Policy of time that counts instructions. An instruction takes one unit of time, and so does the entry into an
 * interrupt handler. A wfi waits until something happens. Programs that need time to pass see this in the place of
 * clock cycles; it says nothing about the hardware's timing.
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
  /** How long a turn of a hart lasts, if several harts take turns and the caller has asked for turns of `asked`
   * instructions. With turns of one instruction the harts' accesses come in as many orders as possible. */
  static constexpr std::uint64_t turn(unsigned harts, std::uint64_t asked) {
    return harts > 1 ? std::max<std::uint64_t>(asked, 1) : kNever;
  }
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_TIME_INSTRUCTION_COUNT_H
