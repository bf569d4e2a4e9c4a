// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What is behind the caches of the first level: the memory, or a second level in front of it.
 *
 * The second level is inclusive: it holds each line that the first level does. What leaves it leaves them, too.
 */
#ifndef TRAPEZE_SIM_TIMING_SECOND_LEVEL_H
#define TRAPEZE_SIM_TIMING_SECOND_LEVEL_H

#include <cstdint>
#include <optional>
#include <utility>

#include "model/platform/timing_plan.h"
#include "timing/cache.h"

namespace trapeze::timing {

/** Addresses are physical. `code`, `data`: the caches of the first level. */
class SecondLevel {
 public:
  explicit SecondLevel(const model::TimingPlan& plan) : memory_latency_(plan.memory_latency) {
    if (!plan.level2) return;
    lines_.emplace(plan.level2->lines, false);
    latency_ = plan.level2->latency;
    write_back_ = plan.level2->write_back;
  }
  void reset() {
    if (lines_) lines_->reset();
    transfers_ = 0;
  }

  /** How long a line takes that the first level lacks. */
  std::uint64_t latency(std::uint64_t address, const Cache& data) const {
    return lines_ ? latency_of(address, data) : memory_latency_;
  }
  /** The same, and the line comes. */
  std::uint64_t bring(std::uint64_t address, Cache& code, Cache& data) {
    if (lines_) return bring_line(address, code, data);
    ++transfers_;
    return memory_latency_;
  }
  /** The first level writes a line back. */
  void take(std::uint64_t address) {
    if (lines_) lines_->mark(lines_->line(address));
    if (!lines_) ++transfers_;
  }
  /** A line is written to the memory, whose copy in the first level, if there is one, was dirty or not; it stays or
   * leaves both levels. Returns what the second level adds to that. */
  std::uint64_t clean(std::uint64_t address, bool dirty);
  std::uint64_t flush(std::uint64_t address, bool dirty, Cache& code, Cache& data);
  /** A line leaves both levels, and is not written. */
  void invalidate(std::uint64_t address, Cache& code, Cache& data);

  /** Lines that have come from the memory and gone there since take_transfers(). */
  unsigned transfers() const { return transfers_; }
  unsigned take_transfers() { return std::exchange(transfers_, 0); }

 private:
  std::uint64_t latency_of(std::uint64_t address, const Cache& data) const;
  std::uint64_t bring_line(std::uint64_t address, Cache& code, Cache& data);
  /** Whether a line that comes makes a dirty one leave. */
  bool writes_victim(std::uint64_t line, const Cache& data) const;
  /** Whether a line of this level, or a part of it in the first, is dirty. */
  bool is_dirty(std::uint64_t line, const Cache& data) const;
  /** A line leaves the first level. */
  void drop(std::uint64_t line, Cache& code, Cache& data) const;

  std::uint64_t memory_latency_;
  std::uint64_t latency_ = 0, write_back_ = 0;
  std::optional<Cache> lines_;
  unsigned transfers_ = 0;
};

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_SECOND_LEVEL_H
