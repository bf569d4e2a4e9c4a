// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a block of instructions keeps for a policy of time (model/time/instruction_count.h); nothing if time is their
 * number.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_OF_TIME_H
#define TRAPEZE_SIM_MODEL_ISA_OF_TIME_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace trapeze::model {

/** Stands for the state of an extension that a hart does not have. */
struct Nothing {};

/** Types that a policy of time has. */
template <class Time, bool kIsCount = Time::kIsCount>
struct OfTime {
  using Slot = Nothing;
  using Situation = Nothing;
  using Ways = Nothing;
};
template <class Time>
struct OfTime<Time, false> {
  using Slot = typename Time::Slot;
  using Situation = typename Time::Situation;
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
  /** What a block costs by itself in one situation, and the situation behind it. */
  struct Way {
    Situation from{}, to{};
    std::uint32_t cost = kUnknown;
  };
  /** The last ways through a block. */
  struct Ways {
    std::array<Way, 6> kept{};
    std::uint8_t current = 0, oldest = 0;  ///< numbers: of the one that is being taken, of the one to replace
    const Way& way() const { return kept[current]; }
  };
};

/** What the rest of a block was to cost when it was last worked out. */
template <typename Situation>
struct CourseFrom {
  [[no_unique_address]] Situation from{};  ///< before instruction number `first`
  std::uint32_t first = 0;
  std::uint32_t cost = 0;  ///< from that one on
};

/** A member that only such a policy needs. */
template <class Time, typename T>
using ForTime = std::conditional_t<Time::kIsCount, Nothing, T>;

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_OF_TIME_H
