// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * One hart of the model that follows one of a leader: it executes what the leader has executed, and judges what the
 * leader did where it was free.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "kernel/follower.h"
#include "model/platform/machine.h"

namespace trapeze::model {

/** What is known of the leader's clock, for all of its harts. */
struct LeaderClock {
  bool known = false;  ///< mtime has been read since it was last written
};

template <Params P>
class FollowedHart {
 public:
  using Word = Register<P.xlen>;

  FollowedHart(Machine<P>& machine, unsigned number, LeaderClock& clock)
      : platform_(machine.platform()),
        number_(number),
        hart_(machine.hart(number)),
        clic_(machine.clic(number)),
        clint_(machine.clint()),
        uart_(machine.uart()),
        latency_(machine.latency()),
        latency_line_(machine.latency_line()),
        clock_(clock) {}

  /** Execute one instruction as the leader did. Returns what the leader was not free to do, or nothing. */
  std::string follow(const tz_follow_args& args, tz_follow_result& result);
  /** A hart of the leader is about to store: interrupts of this one may change. */
  void notice_store(const tz_retire& leader);

 private:
  /** A clock is known to so many cycles. */
  static constexpr std::uint64_t kTimeSlack = 16;
  /** Instructions that may still retire once an interrupt is certain to be pending and enabled. */
  static constexpr unsigned kPatience = 4;
  /** What is known about pending interrupts. */
  struct Pending {
    Word sure = 0;
    Word maybe = 0;
  };

  Pending judge(std::uint64_t lines, std::uint64_t now) const;
  std::string enter_like_leader(const tz_follow_claim& claim);
  std::string check_patience(Word sure);
  std::string check_timed_read(const tz_retire& leader, const Pending& pending);
  void doubt_latency(const tz_retire& leader);
  // With a CLIC, see followed_hart_clic.h.
  void drive_sources(std::uint64_t now);
  std::string enter_like_leader_clic(const tz_follow_claim& claim);
  std::string prepare_clic(const tz_follow_args& args);
  std::string finish_clic(const tz_retire& leader);
  // With fastirq, see followed_hart_fast.h.
  std::string prepare_emret(const tz_follow_args& args);
  std::string chain_like_leader(const tz_follow_claim& claim, unsigned above);
  std::string check_frame_faults(const tz_retire& leader);

  const Platform& platform_;
  unsigned number_;
  Hart<P>& hart_;
  Clic& clic_;
  Clint& clint_;
  Uart& uart_;
  Latency& latency_;
  unsigned latency_line_;
  LeaderClock& clock_;
  Pending last_pending_;
  std::array<unsigned, 64> missed_{};              ///< by interrupt: instructions since it should have been taken
  std::uint64_t timer_written_ = 0;                ///< cycle of the last write to mtimecmp or mtime
  std::optional<std::uint64_t> software_written_;  ///< cycle of the last write of another hart to the CLINT
  bool latency_doubted_ = false;                   ///< the line of the latency measurement may be high
  std::uint64_t latency_settles_ = 0;              ///< in this cycle, too
  bool latency_host_ = false;                      ///< CLIC: that line, as the host drives it
  std::array<Tri, 3> driven_{};                    ///< CLIC: wires of the standard interrupts
  unsigned overdue_ = 0;                           ///< CLIC: instructions since an interrupt should have been taken
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_H
