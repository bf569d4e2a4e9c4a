// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The model as a follower: all harts of a machine, behind the interface of kernel/follower.h. Each hart's instructions
 * come in order; those of several harts in the order in which the leader's bus granted their accesses to memory, which
 * is the order in which they are executed here. So a load reads what the grants before it have left, whatever the
 * leader says it read.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWER_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWER_H

#include <string>
#include <vector>

#include "lockstep/following/followed_hart.h"
#include "lockstep/following/followed_hart_clint.h"

namespace trapeze::model {

template <Params P>
class Follower {
 public:
  explicit Follower(Machine<P>& machine) : machine_(machine) { reset(); }

  /** The machine has been reset. */
  void reset() {
    clock_ = {};
    harts_.clear();
    for (unsigned n = 0; n < machine_.harts(); ++n) harts_.emplace_back(machine_, n, clock_);
  }

  /** Execute one instruction as the leader did. Returns what the leader was not free to do, or nothing. */
  std::string follow(const tz_follow_args& args, tz_follow_result& result) {
    const tz_retire& leader = *args.leader;
    if (leader.hart >= harts_.size()) return "there is no hart " + std::to_string(leader.hart);
    machine_.set_time(leader.hart, leader.cycle_ex);
    machine_.host().forget_exits();
    std::string complaint = harts_[leader.hart].follow(args, result);
    for (FollowedHart<P>& hart : harts_) {
      if (harts_.size() > 1) hart.notice_store(leader);
    }
    machine_.uart().output().clear();
    const auto exit_code = machine_.host().exit_code(leader.hart);
    result.exited = exit_code ? 1 : 0;
    result.exit_code = exit_code.value_or(0);
    return complaint;
  }

 private:
  Machine<P>& machine_;
  LeaderClock clock_;
  std::vector<FollowedHart<P>> harts_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWER_H
