// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * One hart of the reference that follows a hart of the leader: it executes the instructions that the leader has
 * executed. Where the specifications leave a choice, the reference does as the leader did, and this class judges
 * whether the leader was free to choose so.
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
#include "lockstep/following/debugger_writes.h"
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
  std::uint64_t cycle;  ///< cycle of the claim
  std::uint64_t lines;  ///< lines that the interrupt controller showed to the core in that cycle
  std::uint64_t epc;    ///< interrupted address; of the table entry, if an entry was being fetched
  std::uint16_t id;
  std::uint8_t level;
  bool chained;  ///< the leader's instruction is an emret, which chained the interrupt; else it was taken before it
};

/** One instruction of a hart of the leader, with the lines and claims that belong to it. In `lines` bit n is platform
 * line n. */
struct Step {
  const tz_retire& leader;        ///< record of the instruction
  std::uint64_t lines = 0;        ///< lines that the interrupt controller showed when the instruction executed
  std::span<const Claim> claims;  ///< claims since the hart's last instruction, in order; a chained one is the last
  std::span<const LineChange> changes;  ///< changes of the hart's lines since then, in order of cycles
};

/** What the reference did. */
struct Outcome {
  tz_retire own{};                         ///< the reference's record; its cycle fields mean nothing
  std::string complaint;                   ///< what the leader has done without being free to do it; else empty
  std::optional<std::uint32_t> exit_code;  ///< exit code, if the program has ended
};

class FollowedHart {
 public:
  FollowedHart(Engine& engine, unsigned number);
  FollowedHart(const FollowedHart&) = delete;
  FollowedHart& operator=(const FollowedHart&) = delete;

  /** Execute one instruction as the leader did. */
  Outcome follow(const Step& step);
  /** A debugger has executed an instruction in debug mode. Returns a complaint, or nothing. */
  std::string debugged(const tz_retire& leader) { return debugger_.see(leader, reference_); }
  /** The interrupt output of a device changes. */
  void see(const tz_wire_change& change);
  /** With posts. */
  FollowedPosts* posts() { return posts_ ? &*posts_ : nullptr; }
  /** The cycle at which devices see an instruction: that in which the bus granted its access; without access that in
   * which it executed. */
  static std::uint64_t cycle_of(const tz_retire& leader) {
    return leader.cycle_mem != 0 ? leader.cycle_mem : leader.cycle_ex;
  }

 private:
  /** The interrupt that must be taken before the next instruction: the last instruction was a write of a CSR or a
   * return, executed in `cycle`, and the interrupt is certainly pending and enabled after it. */
  struct LetIn {
    unsigned id;
    std::uint64_t cycle;
  };
  std::optional<unsigned> certainly_due() const;
  std::string check_wfi(const Step& step) const;
  std::string check_triggers(const tz_retire& leader) const;
  /** How many instructions may still retire when an interrupt is certainly pending and enabled. */
  static constexpr unsigned kPatience = 4;
  // With a CLINT, see followed_hart_clint.cpp.
  /** Pending interrupts of a cycle, with bits as in mip, if the controller shows these platform lines. */
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
  bool context_is_open() const;
  std::optional<unsigned> due_clic() const;
  // For the interrupts of one mode:
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
  const unsigned latency_line_;  ///< platform line that the latency measurement shares with the host
  std::optional<ClicView> clic_;
  std::optional<Frames> frames_;
  std::optional<FollowedPosts> posts_;
  DebuggerWrites debugger_;
  std::optional<std::uint64_t> table_entry_;  ///< table entry through which the last instruction or interrupt went
  /** The interrupt that the next instruction claims: xnxti and jalxnxti if they are legal, emret if it chains. */
  ClicOffer claims_;
  LineHistory shown_;                   ///< CLINT: interrupts of devices as it shows them to the core, bits as in mip
  std::uint64_t last_pending_ = 0;      ///< CLINT: interrupts that were pending at the last instruction
  std::array<unsigned, 64> missed_{};   ///< by interrupt: instructions since it should have been taken
  std::uint64_t due_ = 0;               ///< interrupts whose missed_ is not 0
  std::deque<LineChange> line_host_;    ///< CLIC: changes of latency_line_ by the host, not yet applied
  std::deque<LineChange> line_device_;  ///< CLIC: changes of latency_line_ by the latency measurement, not yet applied
  bool host_level_ = false;  ///< CLIC: level of latency_line_ from the host, after the changes applied so far
  bool device_level_ = false;
  std::optional<LetIn> let_in_;
  unsigned overdue_ = 0;  ///< CLIC: instructions since an interrupt should have been taken
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_H
