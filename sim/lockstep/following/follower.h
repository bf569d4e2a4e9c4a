// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * All harts of the reference, which follow a leader. Instructions of one hart come in order. Instructions of several
 * harts come in the order in which the leader's bus granted their accesses to memory, and are executed here in this
 * order. So a load reads what the accesses before it have left, and not what the leader says that it read.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWER_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWER_H

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/following/followed_hart.h"

namespace trapeze::following {

class Follower {
 public:
  /** `engine` must have an oracle (kernel/oracle.h) and must not have run since its reset. */
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

  /** A debugger has executed an instruction of a hart in debug mode. Returns a complaint, or nothing. */
  std::string debugged(const tz_retire& record) { return harts_[record.hart]->debugged(record); }

  /** Whether there are harts that post user interrupts to one another. */
  bool has_posts() const {
    return std::any_of(harts_.begin(), harts_.end(), [](const auto& hart) { return hart->posts() != nullptr; });
  }
  /** Tells of one action of a post or a notification of the leader. Accesses must come in the order of their grants. */
  void see(const tz_post& post) {
    if (FollowedPosts* const own = harts_[post.hart]->posts()) own->see(post);
    if (post.kind != TZ_POST_SEND) return;
    for (unsigned n = 0; n < harts_.size(); ++n) {
      FollowedPosts* const there = harts_[n]->posts();
      if (there != nullptr && engine_.hart(n).hart_id == post.address) there->arrives(post);
    }
  }
  /** The complaint about a notification that has been on its way for too long; empty if there is none. */
  std::string check_patience(std::uint64_t now) const {
    std::string complaint;
    for (const auto& hart : harts_) {
      if (complaint.empty() && hart->posts() != nullptr) complaint = hart->posts()->check_patience(now);
    }
    return complaint;
  }

  /** Bytes that the leader's UART receives from the host. */
  void console_input(std::string_view bytes) { engine_.console_input(bytes); }

 private:
  Engine& engine_;
  Reference wires_;  ///< through it the wires of all harts are read
  std::vector<std::unique_ptr<FollowedHart>> harts_;
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWER_H
