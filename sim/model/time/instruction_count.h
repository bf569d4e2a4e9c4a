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

/**
 * What a policy of time offers to Hart. What an instruction costs by itself is known when it is decoded; a block keeps
 * the sum. The hooks return what is known only when an instruction executes: how much it costs more.
 */
struct InstructionCount {
  /** Time is the number of instructions. Then the hart counts once, and calls no hook. */
  static constexpr bool kIsCount = true;
  /** What an instruction costs by itself, 1 or more. */
  template <class Decoded>
  static constexpr std::uint32_t cost(const Decoded& /*instruction*/) {
    return 1;
  }
  /** Code is entered at `pc` and executed up to `end`, in front of the block's instructions. */
  static constexpr std::uint64_t fetch(std::uint64_t /*pc*/, std::uint64_t /*end*/) { return 0; }
  /** Virtual address of a load, store or atomic operation. */
  static constexpr std::uint64_t load(std::uint64_t /*address*/) { return 0; }
  static constexpr std::uint64_t store(std::uint64_t /*address*/) { return 0; }
  /** A jump or branch at the end of a block. `target`: where it goes if it is taken. */
  static constexpr std::uint64_t branch(std::uint64_t /*end*/, std::uint64_t /*target*/, bool /*taken*/) { return 0; }
  /** Operands, rs1 and rs2. */
  static constexpr std::uint64_t multiply(std::uint64_t /*a*/, std::uint64_t /*b*/) { return 0; }
  static constexpr std::uint64_t divide(std::uint64_t /*a*/, std::uint64_t /*b*/) { return 0; }
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
