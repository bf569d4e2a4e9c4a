// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Predicts branches: counters for directions, a buffer of targets, a stack of return addresses.
 */
#ifndef TRAPEZE_SIM_TIMING_PREDICTOR_H
#define TRAPEZE_SIM_TIMING_PREDICTOR_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/platform/timing_plan.h"

namespace trapeze::timing {

/** Each function says what a branch or jump adds to the time of its instruction. `end`: the address behind it. */
class Predictor {
 public:
  explicit Predictor(const model::TimingPlan::Branches& plan) : plan_(plan) { reset(); }

  void reset() {
    counters_.assign(plan_.history, 0);
    targets_.assign(plan_.targets, {});
    returns_.assign(plan_.returns, 0);
    top_ = 0;
  }

  /** A branch with a condition is predicted by its counter. */
  unsigned branch(std::uint64_t end, std::uint64_t target, bool taken) {
    std::uint8_t& counter = counters_[(end >> 1) & (counters_.size() - 1)];
    const auto most = static_cast<std::uint8_t>((1U << plan_.bits) - 1);
    const bool predicted = counter > most / 2;
    if (taken && counter < most) ++counter;
    if (!taken && counter > 0) --counter;
    if (predicted != taken) {
      if (taken) targets_[place_of(end)] = {end, target};
      return plan_.misprediction;
    }
    return taken ? follow(end, target) : 0;
  }

  unsigned jump(unsigned rd, std::uint64_t end, std::uint64_t target) {
    if (is_link(rd)) push(end);
    return follow(end, target);
  }

  /** A return is predicted by the stack, another jump by where it went the last time. */
  unsigned jump_register(unsigned rd, unsigned rs1, std::uint64_t end, std::uint64_t target) {
    const bool returns = is_link(rs1) && rd != rs1;
    unsigned cost = 0;
    if (returns) {
      cost = pop() == target ? 0 : plan_.misprediction;
    } else {
      Target& known = targets_[place_of(end)];
      cost = known.end == end && known.target == target ? 0 : plan_.misprediction;
      known = {end, target};
    }
    if (is_link(rd)) push(end);
    return cost;
  }

 private:
  struct Target {
    std::uint64_t end = 0, target = 0;
  };
  /** Unprivileged ISA 20191213, section 2.5: ra and t0 are what calls and returns use. */
  static constexpr bool is_link(unsigned number) { return number == 1 || number == 5; }
  std::size_t place_of(std::uint64_t end) const { return (end >> 1) & (targets_.size() - 1); }
  /** What a jump to a target that is known when it is decoded adds. */
  unsigned follow(std::uint64_t end, std::uint64_t target) {
    Target& known = targets_[place_of(end)];
    if (known.end == end) return 0;
    known = {end, target};
    return plan_.taken;
  }
  void push(std::uint64_t address) {
    top_ = (top_ + 1) % returns_.size();
    returns_[top_] = address;
  }
  std::uint64_t pop() {
    const std::uint64_t address = returns_[top_];
    top_ = (top_ + returns_.size() - 1) % returns_.size();
    return address;
  }

  model::TimingPlan::Branches plan_;
  std::vector<std::uint8_t> counters_;
  std::vector<Target> targets_;
  std::vector<std::uint64_t> returns_;
  std::size_t top_ = 0;
};

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_PREDICTOR_H
