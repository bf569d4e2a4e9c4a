// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Two engines side by side: one leads, the other follows, and every retired instruction is compared.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_LOCKSTEP_H
#define TRAPEZE_SIM_LOCKSTEP_LOCKSTEP_H

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernel/dynamic_engine.h"
#include "kernel/elf.h"
#include "kernel/follower.h"
#include "kernel/session.h"
#include "lockstep/history.h"

namespace trapeze {

/** The engines disagree. what() is the whole report, several lines. */
class Mismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** Differences between two records of one instruction, one line for each field, empty if they agree. Cycles, and what
 * means nothing in these records, are not compared. */
std::vector<std::string> compare_records(const tz_retire& leader, const tz_retire& follower);

/**
 * Watches the leader's session and makes the follower do the same. Throws Mismatch.
 *
 * The follower's memory must have been loaded. `reproduce` is the command line that repeats the run.
 */
class Lockstep final : public Observer {
 public:
  Lockstep(Engine& follower, const tz_engine_info& leader, const ElfFile& elf, std::string reproduce);

  void on_retire(const tz_retire& record) override;
  void on_claim(const tz_claim& claim) override;
  void on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) override;

  /** The leader's run is over: if it has exited, the follower must have done so too, with the same code. */
  void finish(Engine& leader, const RunState& state);

  /** Instructions compared so far. */
  std::uint64_t compared() const { return compared_; }

 private:
  /** Claims that come before an instruction, or that it makes itself, out of claims_ and into taken_. */
  void take_claims(const tz_retire& record);

  [[noreturn]] void fail(const std::vector<std::string>& differences, const tz_retire* leader,
                         const tz_retire* follower);
  std::string state() const;
  std::uint64_t value_of(std::uint32_t number) const;

  Engine& follower_;
  const tz_follower_api& api_;
  const tz_engine_info& leader_;
  SymbolTable symbols_;
  std::string reproduce_;
  LineHistory lines_;
  std::vector<tz_line_change> changes_;        ///< that the follower has not been told
  std::deque<tz_follow_claim> claims_;         ///< that the follower has not been told
  std::vector<tz_follow_claim> taken_;         ///< what the follower is told with this instruction
  std::optional<tz_follow_claim> last_claim_;  ///< the interrupt whose handler begins next
  std::deque<tz_retire> recent_;
  std::array<std::uint64_t, 32> shadow_{};  ///< registers of the leader, from what it wrote
  bool has_frames_ = false;                 ///< fastirq
  std::uint64_t compared_ = 0;
  bool exited_ = false;
  std::uint32_t exit_code_ = 0;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_LOCKSTEP_LOCKSTEP_H
