// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Follows the posts of one hart of the leader, and the notifications that come to it (docs/user-interrupts.md).
 *
 * Order of accesses: each access is made in the reference's memory in the order in which the leader's bus granted it.
 * So it finds the values that the accesses before it have left.
 *
 * Judgement: whether the leader had to make an access is judged later, when the hart's own instructions have come that
 * far. A senduipi of the reference goes through the accesses that were made for it, up to the one that sets its bit in
 * PUIR. The accesses to ON and NDST, and the notification, may come after the instruction; they are judged as they
 * come. A notification finds the registers that the instructions before it have left.
 *
 * UIRR changes in the same cycle as the leader's. So a claim before the change and a claim after it name the right
 * vectors. Memory protection is judged when a notification makes its first access; the leader has judged it a few
 * cycles before.
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
  /** Cycles within which a notification must be handled. */
  static constexpr std::uint64_t kPatience = 4096;

  /** The hart of `reference` must have user interrupts between harts. */
  FollowedPosts(Reference& reference, ClicView& clic) : reference_(reference), clic_(clic) {}

  /** Tells of one action of the leader's hart. Accesses of all harts must come in the order of their grants. */
  void see(const tz_post& post);
  /** A notification to this hart has left its sender. */
  void arrives(const tz_post& send);
  /** The complaint, if a notification has been on its way for too long or a post does not go on as it must; else empty.
   */
  std::string check_patience(std::uint64_t now) const;

  /** Handles the notifications up to the cycle before `until`. Returns what the leader was not free to do, or nothing.
   */
  std::string advance(std::uint64_t until);
  /** Shows the CLIC whether UIRR is zero, on the wire of its source; UIRR may have changed in this cycle. */
  void show_requests(std::uint64_t cycle);
  /** Before the leader's instruction: hands the reference the accesses that were made for a senduipi. */
  void prepare(const tz_retire& leader, tz_choices& choices);
  /** After the leader's instruction. Returns what the leader was not free to do, or nothing. */
  std::string finish(const tz_retire& leader, const tz_posted& posted);

 private:
  /** A senduipi that has set its bit and has steps still to do. */
  struct Open {
    std::uint64_t upid;
    std::uint64_t since;                ///< cycle in which its bit was set
    std::optional<unsigned> vector;     ///< vector of the notification, once ON was set
    std::optional<std::uint32_t> hart;  ///< mhartid of the notification's destination, once NDST was read
  };
  struct Event {
    tz_post post;
    tz_word_access access;  ///< the access that was made
  };
  /** A notification for the running thread that is being handled. */
  struct Taking {
    std::uint64_t upid;
    std::array<std::optional<std::uint32_t>, 2> posted;  ///< words of PUIR that the notification has found
    std::array<bool, 2> joined;
  };

  /** Judges the steps of the open senduipi after its bit, as far as they have come. */
  void follow_open();
  std::string go_on(const Event& event);
  std::string send(const tz_post& post) const;
  std::string judge(const Event& event);
  std::string take(const tz_word_access& access);
  std::string join(const tz_post& post);
  std::string end();
  std::string edge(const tz_post& post);
  /** A notification that was sent with this vector has been handled. */
  std::string arrived(unsigned vector);

  Reference& reference_;
  ClicView& clic_;
  std::deque<Event> own_;              ///< events of this hart's senduipi, still to be judged
  std::deque<Event> coming_;           ///< events of notifications to this hart
  std::vector<tz_word_access> trail_;  ///< accesses that were made for the next instruction, if it is a senduipi
  std::optional<Open> open_;
  std::string complaint_;          ///< complaint about the open senduipi
  std::vector<unsigned> vectors_;  ///< vectors of the notifications that were sent to this hart, not judged yet
  std::deque<std::uint64_t> on_their_way_;  ///< cycles in which those notifications were sent
  std::optional<Taking> taking_;
  bool pending_ = false;  ///< UIRR is not zero
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_POSTS_H
