// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The changes of a device's interrupt output since they were taken last.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_LEVEL_CHANGES_H
#define TRAPEZE_SIM_MODEL_PLATFORM_LEVEL_CHANGES_H

#include <cstdint>
#include <deque>

namespace trapeze::model {

class LevelChanges {
 public:
  struct Change {
    std::uint64_t time;  ///< time from which on the output has the level
    bool level;
  };

  bool level() const { return level_; }
  /** The output has `level` from `time` on; times never fall. */
  void note(std::uint64_t time, bool level) {
    if (level == level_) return;
    level_ = level;
    if (asked_) changes_.push_back({time, level});
  }
  /** Calls `body` for the changes before `end`, and forgets them. */
  template <typename Body>
  void take(std::uint64_t end, Body&& body) {
    asked_ = true;
    for (; !changes_.empty() && changes_.front().time < end; changes_.pop_front()) body(changes_.front());
  }

 private:
  bool level_ = false;
  bool asked_ = false;
  std::deque<Change> changes_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_LEVEL_CHANGES_H
