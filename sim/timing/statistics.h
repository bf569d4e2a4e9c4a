// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Where the cycles of a modelled hart went: how often something cost time by itself, and how much, by privilege.
 *
 * What is counted is what a policy of time adds off the path of a block without a miss. The rest of the time, beside a
 * cycle for each instruction, is that of operands, units and fetched code, which blocks have in their cost.
 */
#ifndef TRAPEZE_SIM_TIMING_STATISTICS_H
#define TRAPEZE_SIM_TIMING_STATISTICS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/engine.h"

namespace trapeze::timing {

enum class Cause : std::uint8_t {
  kCodeMiss,
  kCodeWalk,
  kLoadMiss,
  kStoreMiss,
  kDirtyVictim,
  kSecondMiss,
  kDataWalk,
  kBehindStore,
  kBranch,
  kJump,
  kDeviceLoad,
  kDeviceStore,
  kManaged,
  kWrittenBack,
  kException,
  kInterrupt,
  kAsleep,
  kCount,
};

/** Counts of one hart since its reset. */
class Statistics {
 public:
  /** The privilege of what is counted from now on. */
  void in_mode(unsigned mode) { mode_ = mode; }
  /** Something took so many cycles. */
  void count(Cause cause, std::uint64_t cycles) {
    Tally& tally = modes_[mode_].causes[static_cast<std::size_t>(cause)];
    ++tally.times;
    tally.cycles += cycles;
  }
  /** What was counted before takes so many cycles more. */
  void add(Cause cause, std::uint64_t cycles) {
    modes_[mode_].causes[static_cast<std::size_t>(cause)].cycles += cycles;
  }
  /** Instructions have taken so many cycles, with all that was counted while they did. */
  void passed(std::uint64_t instructions, std::uint64_t cycles) {
    modes_[mode_].instructions += instructions;
    modes_[mode_].cycles += cycles;
  }
  /** The hart slept so long. */
  void slept(std::uint64_t cycles) {
    count(Cause::kAsleep, cycles);
    passed(0, cycles);
  }

  /** Everything, as an engine tells it: the cycles of all rows are those that have passed. */
  std::vector<tz_cause> causes() const;

 private:
  struct Tally {
    std::uint64_t times = 0, cycles = 0;
  };
  struct Mode {
    std::array<Tally, static_cast<std::size_t>(Cause::kCount)> causes{};
    std::uint64_t instructions = 0, cycles = 0;
  };
  static const char* name(Cause cause);

  std::array<Mode, TZ_MODES> modes_{};
  unsigned mode_ = TZ_MODES - 1;  ///< machine mode
};

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_STATISTICS_H
