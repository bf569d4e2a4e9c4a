// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * One hart of the reference that follows one of a leader: it executes what the leader has executed. Where the
 * specifications leave something open the choice is the leader's, and is judged here: whether the leader was free to
 * choose so.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_H

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "lockstep/following/clic_view.h"
#include "lockstep/following/device_views.h"
#include "lockstep/following/frames.h"
#include "lockstep/following/reference.h"

namespace trapeze::following {

/** `line` has `level` from `cycle` on. */
struct LineChange {
  std::uint64_t cycle;
  std::uint32_t line;
  std::uint32_t level;
};

/** An interrupt that the leader has claimed. */
struct Claim {
  std::uint64_t cycle;  ///< of the claim
  std::uint64_t lines;  ///< that the interrupt controller showed in that cycle
  std::uint64_t epc;    ///< the interrupted address; of a table entry, if it was being fetched
  std::uint16_t id;
  std::uint8_t level;
  bool chained;  ///< not taken before the leader's instruction: that one, an emret, went on to it
};

/** What a hart of the leader did and what its surroundings were. Lines are bits, bit n is platform line n. */
struct Step {
  const tz_retire& leader;              ///< its record
  std::uint64_t lines_sure = 0;         ///< lines that were high for so long that it must have seen them
  std::span<const Claim> claims;        ///< interrupts since its last step, in order; a chained one is the last
  std::span<const LineChange> changes;  ///< its lines that changed since then, by cycle
};

/** What the reference did. */
struct Outcome {
  tz_retire own{};                         ///< its record; cycle fields mean nothing
  std::string complaint;                   ///< what the leader was not free to do, or empty
  std::optional<std::uint32_t> exit_code;  ///< its program has ended
};

class FollowedHart {
 public:
  /** `devices` are those of all harts. */
  FollowedHart(Engine& engine, unsigned number, DeviceViews& devices);
  FollowedHart(const FollowedHart&) = delete;
  FollowedHart& operator=(const FollowedHart&) = delete;

  /** Execute one instruction as the leader did. */
  Outcome follow(const Step& step);
  /** A hart of the leader stores: interrupts of this one may change. */
  void notice_store(const tz_retire& leader);

 private:
  /** A clock is known to so many cycles. */
  static constexpr std::uint64_t kTimeSlack = 16;
  /** Instructions that may still retire once an interrupt is certain to be pending and enabled. */
  static constexpr unsigned kPatience = 4;
  /** What is known about pending interrupts. */
  struct Pending {
    std::uint64_t sure = 0;
    std::uint64_t maybe = 0;
  };

  std::string check_mip(const tz_retire& leader, const Pending& pending) const;
  std::string check_mtime(const tz_retire& leader);
  void choose_reads(const tz_retire& leader, tz_choices& choices);
  void doubt_latency(const tz_retire& leader);
  // With a CLINT, see followed_hart_clint.cpp.
  Pending judge(std::uint64_t lines, std::uint64_t now) const;
  std::string enter_like_leader(const Claim& claim);
  std::string check_patience(std::uint64_t sure);
  std::string prepare_clint(const Step& step, tz_choices& choices);
  // With a CLIC, see followed_hart_clic.cpp.
  void drive_sources(std::uint64_t now);
  void drive_source(std::size_t wire, Tri level, std::uint64_t now);
  /** Another hart stores to the CLINT, at an offset, in a cycle that this hart may not have come to yet. */
  void notice_clint_store(std::uint64_t offset, std::uint64_t now);
  bool takes(const ClicOffer& offer) const;
  unsigned level() const;
  unsigned threshold() const;
  std::string enter_like_leader_clic(const Claim& claim);
  std::string prepare_clic(const Step& step, tz_choices& choices);
  std::string check_due(std::uint64_t now);
  ClicOffer next_offer(unsigned above, std::optional<std::uint64_t> entry, std::uint64_t now);
  void choose_next_interrupt(const tz_retire& leader, tz_choices& choices);
  void finish_claim(const tz_retire& leader, tz_effects& effects);
  std::string finish_clic(const tz_retire& leader);
  // With fastirq.
  std::string prepare_emret(const Step& step, tz_choices& choices);
  std::string chain_like_leader(const Claim& claim, unsigned above, tz_choices& choices);

  Reference reference_;
  const unsigned number_;
  const unsigned line_id_base_;
  const unsigned latency_line_;  ///< that the latency measurement shares with the host
  DeviceViews& devices_;
  std::optional<ClicView> clic_;
  std::optional<Frames> frames_;
  std::optional<std::uint64_t> table_entry_;  ///< through which the last instruction or interrupt went on
  /** What the next instruction claims: by xnxti or jalxnxti if it is legal, by emret if it goes on. */
  ClicOffer claims_;
  Pending last_pending_;
  std::array<unsigned, 64> missed_{};              ///< by interrupt: instructions since it should have been taken
  std::uint64_t due_ = 0;                          ///< those for which this is not 0
  std::uint64_t timer_written_ = 0;                ///< cycle of the last write to mtimecmp or mtime
  std::optional<std::uint64_t> software_written_;  ///< cycle of the last write of another hart to the CLINT
  bool latency_doubted_ = false;                   ///< the line of the latency measurement may be high
  std::uint64_t latency_settles_ = 0;              ///< in this cycle, too
  bool latency_host_ = false;                      ///< CLIC: that line, as the host drives it
  std::array<Tri, 3> driven_{};                    ///< CLIC: wires of the standard interrupts
  std::uint64_t driven_at_ = 0;                    ///< ... in this cycle
  unsigned overdue_ = 0;                           ///< CLIC: instructions since an interrupt should have been taken
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_H
