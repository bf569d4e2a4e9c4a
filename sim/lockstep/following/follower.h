// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * All harts of the reference as they follow a leader. Each hart's instructions come in order; those of several harts in
 * the order in which the leader's bus granted their accesses to memory, which is the order in which they are executed
 * here. So a load reads what the grants before it have left, whatever the leader says it read.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWER_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWER_H

#include <memory>
#include <string_view>
#include <vector>

#include "lockstep/following/followed_hart.h"

namespace trapeze::following {

class Follower {
 public:
  /** `engine` must have an oracle, and be as it is after a reset. */
  explicit Follower(Engine& engine) : engine_(engine), wires_(engine, 0) {
    for (unsigned n = 0; n < engine.harts(); ++n) harts_.push_back(std::make_unique<FollowedHart>(engine, n));
  }

  /** Execute one instruction of a hart that exists, as the leader did. */
  Outcome follow(const Step& step) {
    wires_.see_wires(FollowedHart::cycle_of(step.leader), [this](const tz_wire_change& change) {
      for (const auto& hart : harts_) hart->see(change);
    });
    return harts_[step.leader.hart]->follow(step);
  }

  /** Bytes that the leader's UART receives from the host. */
  void console_input(std::string_view bytes) { engine_.console_input(bytes); }

 private:
  Engine& engine_;
  Reference wires_;  ///< of all harts
  std::vector<std::unique_ptr<FollowedHart>> harts_;
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWER_H
