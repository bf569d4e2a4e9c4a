// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Two engines side by side: one leads, the other follows, and every retired instruction is compared. With several harts
 * the follower executes the leader's instructions in the order in which the bus granted their accesses to memory.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_LOCKSTEP_H
#define TRAPEZE_SIM_LOCKSTEP_LOCKSTEP_H

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/dynamic_engine.h"
#include "kernel/elf.h"
#include "kernel/session.h"
#include "lockstep/following/follower.h"
#include "lockstep/following/line_history.h"
#include "lockstep/grant_order.h"
#include "lockstep/recent_records.h"
#include "lockstep/split_accesses.h"

namespace trapeze {

/** The engines disagree. what() is the whole report, several lines. */
class Mismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/** Differences between two records of one instruction, one line for each field; empty if they agree. Cycles are not
 * compared, nor fields that mean nothing in these records. */
std::vector<std::string> compare_records(const tz_retire& leader, const tz_retire& follower);

/**
 * Watches the leader's session and makes the follower do the same. Throws Mismatch.
 *
 * The follower's memory must have been loaded. `reproduce` is the command line that repeats the run.
 */
class Lockstep final : public Observer {
 public:
  /** `symbols`: the symbols of each hart's program, for reports. */
  Lockstep(Engine& follower, const tz_engine_info& leader, std::vector<SymbolTable> symbols, std::string reproduce);
  /** All harts run `elf`. */
  Lockstep(Engine& follower, const tz_engine_info& leader, const ElfFile& elf, std::string reproduce)
      : Lockstep(follower, leader, std::vector<SymbolTable>(leader.num_harts, SymbolTable(elf.symbols)),
                 std::move(reproduce)) {}

  void on_retire(const tz_retire& record) override;
  void on_claim(const tz_claim& claim) override;
  void on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) override;
  bool watches_posts() const override { return following_.has_posts(); }
  void on_post(const tz_post& post) override { posts_.push_back(post); }

  /** Bytes that the leader's UART receives from the host. */
  void console_input(std::string_view bytes) { following_.console_input(bytes); }

  /** The leader's run is over: harts that have exited must have done so in the follower too, with the same code. */
  void finish(Engine& leader, const RunState& state);

  /** Instructions compared so far. */
  std::uint64_t compared() const { return compared_; }

 private:
  /** State of one hart. */
  struct Lane {
    LineHistory lines;
    std::vector<following::LineChange> changes;  ///< changes of lines that the follower has not been told
    std::deque<following::Claim> claims;         ///< claims that the follower has not been told
    std::vector<following::Claim> taken;         ///< claims that the follower is told with this instruction
    std::optional<following::Claim> last_claim;  ///< the interrupt whose handler begins next
    std::array<std::uint64_t, 32> shadow{};      ///< registers of the leader, from its records
    std::uint64_t debugged = 0;                  ///< records of debug mode, which the follower does not make
    bool has_frames = false;                     ///< fastirq
    std::optional<std::uint32_t> exit_code;      ///< exit code of the follower's program, if it has ended
  };

  /** Compares the records whose order is certain; with `all` every record that has come. */
  void compare_next(bool all);
  void compare(const tz_retire& leader);
  /** Tells the follower what posts and notifications have done up to a cycle, before an instruction of that cycle. */
  void see_posts(std::uint64_t until, const tz_retire& record);
  /** Fails if one hart's access to shared memory was granted between the two words of another hart's access. */
  void check_split(const tz_retire& access, const tz_retire& record);
  /** Moves the claims that come before an instruction, or that it makes itself, from `claims` to `taken`. */
  void take_claims(Lane& lane, const tz_retire& record);
  bool is_shared(unsigned hart, std::uint64_t address) const;

  [[noreturn]] void fail(const std::vector<std::string>& differences, unsigned hart, const tz_retire* leader,
                         const tz_retire* follower);
  std::string state(unsigned hart) const;
  std::string line_of(const tz_retire& record) const;
  std::uint64_t value_of(unsigned hart, std::uint32_t number) const;

  Engine& follower_;
  const tz_oracle_api& api_;
  following::Follower following_;
  const tz_engine_info& leader_;
  std::vector<SymbolTable> symbols_;
  std::string reproduce_;
  std::vector<Lane> lanes_;
  GrantOrder order_;
  std::deque<tz_post> posts_;  ///< actions of posts and notifications that the follower has not been told
  SplitAccesses splits_;
  RecentRecords recent_;
  std::uint64_t compared_ = 0;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_LOCKSTEP_LOCKSTEP_H
