// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What one hart of a leader posts, and which notifications come to it (docs/user-interrupts.md).
 *
 * Each access to memory is made in the reference's memory when the leader's bus granted it, so that it finds, and
 * leaves behind, what the grants before it say. Whether the leader had to make it is judged when the hart's own
 * instructions have come that far: a senduipi of the reference goes through the accesses that were made for it, up to
 * its bit in PUIR; ON, NDST and the notification may come behind it and are judged as they come; and a notification
 * finds the registers that the instructions before it have left. UIRR changes with the cycle in which the leader's
 * does, so that a claim before it and one behind it name their vectors. Memory protection is judged as it is when a
 * notification makes its first access; the leader has judged it a few cycles before.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_POSTS_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_POSTS_H

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/following/clic_view.h"
#include "lockstep/following/reference.h"

namespace trapeze::following {

class FollowedPosts {
 public:
  /** Cycles in which a notification must be done with. */
  static constexpr std::uint64_t kPatience = 4096;

  /** The reference's hart must post user interrupts. */
  FollowedPosts(Reference& reference, ClicView& clic) : reference_(reference), clic_(clic) {}

  /** Something that the leader's hart does; accesses of all harts come in the order of their grants. */
  void see(const tz_post& post);
  /** A notification to this hart has left its sender. */
  void arrives(const tz_post& send);
  /** A notification has been on its way for too long, or a post was not gone on with as it must; or nothing. */
  std::string check_patience(std::uint64_t now) const;

  /** Notifications up to the cycle before `until`. Returns what the leader was not free to do, or nothing. */
  std::string advance(std::uint64_t until);
  /** UIRR may have changed in a cycle: the CLIC's wire. */
  void show_requests(std::uint64_t cycle);
  /** Before the leader's instruction: what a senduipi finds. */
  void prepare(const tz_retire& leader, tz_choices& choices);
  /** Behind it: what the leader was not free to do, or nothing. */
  std::string finish(const tz_retire& leader, const tz_posted& posted);

 private:
  /** A senduipi whose bit is set, up to its end. */
  struct Open {
    std::uint64_t upid;
    std::uint64_t since;                ///< cycle in which its bit was set
    std::optional<unsigned> vector;     ///< to notify with: ON was set
    std::optional<std::uint32_t> hart;  ///< to notify: NDST was read
  };
  struct Event {
    tz_post post;
    tz_word_access access;  ///< of one that has made it
  };
  /** A notification of the running thread, up to its end. */
  struct Taking {
    std::uint64_t upid;
    std::array<std::optional<std::uint32_t>, 2> posted;  ///< words of PUIR that it has found
    std::array<bool, 2> joined;
  };

  /** What came behind the bit of the open senduipi, as far as it is there. */
  void follow_open();
  std::string go_on(const Event& event);
  std::string send(const tz_post& post) const;
  std::string judge(const Event& event);
  std::string take(const tz_word_access& access);
  std::string join(const tz_post& post);
  std::string end();
  std::string edge(const tz_post& post);
  /** A notification with this vector that has been sent is done with. */
  std::string arrived(unsigned vector);

  Reference& reference_;
  ClicView& clic_;
  std::deque<Event> own_;              ///< of senduipi, still to be judged
  std::deque<Event> coming_;           ///< of notifications
  std::vector<tz_word_access> trail_;  ///< what the next instruction finds
  std::optional<Open> open_;
  std::string complaint_;                   ///< of the open one
  std::vector<unsigned> vectors_;           ///< of notifications that were sent, and not judged
  std::deque<std::uint64_t> on_their_way_;  ///< cycles in which they were sent
  std::optional<Taking> taking_;
  bool pending_ = false;  ///< UIRR is not zero
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_POSTS_H
