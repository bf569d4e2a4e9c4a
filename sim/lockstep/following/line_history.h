// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * History of interrupt lines: which of them were high in which of the last cycles.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_LINE_HISTORY_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_LINE_HISTORY_H

#include <cstdint>
#include <deque>

namespace trapeze {

/** Levels of up to 64 lines by cycle; changes come in order of cycles. All lines are low at first. */
class LineHistory {
 public:
  /** `line` has `level` from `cycle` on. */
  void change(std::uint64_t cycle, unsigned line, bool level) {
    const std::uint64_t bit = std::uint64_t{1} << line;
    const std::uint64_t now = level ? changes_.back().lines | bit : changes_.back().lines & ~bit;
    if (changes_.back().cycle == cycle) {
      changes_.back().lines = now;
    } else {
      changes_.push_back({cycle, now});
      if (changes_.size() > kKept) changes_.pop_front();
    }
  }

  /** Lines that are high in `cycle`. */
  std::uint64_t at(std::uint64_t cycle) const {
    if (changes_.back().cycle <= cycle) return changes_.back().lines;
    std::uint64_t lines = changes_.front().lines;
    for (const Change& change : changes_) {
      if (change.cycle <= cycle) lines = change.lines;
    }
    return lines;
  }

 private:
  static constexpr std::size_t kKept = 64;
  struct Change {
    std::uint64_t cycle;
    std::uint64_t lines;
  };
  std::deque<Change> changes_{{0, 0}};
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_LINE_HISTORY_H
