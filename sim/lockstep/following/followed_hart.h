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
#include <deque>
#include <optional>
#include <span>
#include <string>

#include "lockstep/following/clic_view.h"
#include "lockstep/following/followed_posts.h"
#include "lockstep/following/frames.h"
#include "lockstep/following/line_history.h"
#include "lockstep/following/open_registers.h"
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
  std::uint64_t lines = 0;              ///< that the interrupt controller showed when it executed
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
  FollowedHart(Engine& engine, unsigned number);
  FollowedHart(const FollowedHart&) = delete;
  FollowedHart& operator=(const FollowedHart&) = delete;

  /** Execute one instruction as the leader did. */
  Outcome follow(const Step& step);
  /** An interrupt output of a device changes. */
  void see(const tz_wire_change& change);
  /** With posts. */
  FollowedPosts* posts() { return posts_ ? &*posts_ : nullptr; }
  /** Cycle of an instruction for the devices: in which the bus granted its access to memory, or else it executed. */
  static std::uint64_t cycle_of(const tz_retire& leader) {
    return leader.cycle_mem != 0 ? leader.cycle_mem : leader.cycle_ex;
  }

 private:
  /** The interrupt that is certainly to be taken before the next instruction: the last one, a write of a CSR or a
   * return, was executed in `cycle` and has left it pending and enabled. */
  struct LetIn {
    unsigned id;
    std::uint64_t cycle;
  };
  std::optional<unsigned> certainly_due() const;
  std::string check_wfi(const Step& step) const;
  /** Instructions that may still retire once an interrupt is certain to be pending and enabled. */
  static constexpr unsigned kPatience = 4;
  // With a CLINT, see followed_hart_clint.cpp.
  /** Interrupts that are pending in a cycle, as in mip, when the controller shows these platform lines. */
  std::uint64_t pending(std::uint64_t lines, std::uint64_t cycle) const {
    return (lines << line_id_base_) | shown_.at(cycle);
  }
  std::string enter_like_leader(const Claim& claim);
  std::string check_patience(std::uint64_t pending);
  std::uint64_t due_clint(std::uint64_t pending) const;
  std::string prepare_clint(const Step& step, tz_choices& choices);
  // With a CLIC, see followed_hart_clic.cpp.
  void drive_latency_line(std::uint64_t until);
  std::uint64_t load_clic(const tz_retire& leader);
  void store_clic(const tz_retire& leader, const tz_retire& own);
  bool takes(const ClicOffer& offer) const;
  std::optional<unsigned> due_clic() const;
  // Of the interrupts of a mode:
  unsigned level(unsigned privilege) const;
  unsigned threshold(unsigned privilege) const;
  std::string enter_like_leader_clic(const Claim& claim);
  std::string prepare_clic(const Step& step, tz_choices& choices);
  std::string check_due(std::uint64_t now);
  ClicOffer next_offer(unsigned privilege, unsigned above, std::optional<std::uint64_t> entry, std::uint64_t now);
  void choose_next_interrupt(const tz_retire& leader, tz_choices& choices);
  void finish_claim(const tz_retire& leader, tz_effects& effects);
  std::string finish_clic(const tz_retire& leader);
  // With fastirq.
  std::string refuse_like_leader(const tz_retire& leader);
  std::string prepare_emret(const Step& step, tz_choices& choices);
  std::string chain_like_leader(const Claim& claim, unsigned above, tz_choices& choices);

  Reference reference_;
  OpenRegisters open_{reference_};
  const unsigned number_;
  const unsigned line_id_base_;
  const unsigned latency_line_;  ///< that the latency measurement shares with the host
  std::optional<ClicView> clic_;
  std::optional<Frames> frames_;
  std::optional<FollowedPosts> posts_;
  std::optional<std::uint64_t> table_entry_;  ///< through which the last instruction or interrupt went on
  /** What the next instruction claims: by xnxti or jalxnxti if it is legal, by emret if it goes on. */
  ClicOffer claims_;
  LineHistory shown_;                   ///< CLINT: what it shows of the devices' interrupts, as bits of mip
  std::uint64_t last_pending_ = 0;      ///< CLINT: interrupts that were pending at the last instruction
  std::array<unsigned, 64> missed_{};   ///< by interrupt: instructions since it should have been taken
  std::uint64_t due_ = 0;               ///< those for which this is not 0
  std::deque<LineChange> line_host_;    ///< CLIC: latency_line_ as the host drives it, still to be driven
  std::deque<LineChange> line_device_;  ///< ... and as the latency measurement does
  bool host_level_ = false;             ///< ... up to then
  bool device_level_ = false;
  std::optional<LetIn> let_in_;
  unsigned overdue_ = 0;  ///< CLIC: instructions since an interrupt should have been taken
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_H
