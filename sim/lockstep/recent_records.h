// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The last records of the leader, for a report.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_RECENT_RECORDS_H
#define TRAPEZE_SIM_LOCKSTEP_RECENT_RECORDS_H

#include <array>
#include <cstddef>

#include "kernel/engine.h"

namespace trapeze {

/** A ring: each record that is added displaces the oldest. */
class RecentRecords {
 public:
  void add(const tz_retire& record) { records_[count_++ % kKept] = record; }

  /** Calls `body` for each record that is kept, the oldest first. */
  template <typename Body>
  void for_each(Body&& body) const {
    for (std::size_t n = count_ < kKept ? 0 : count_ - kKept; n < count_; ++n) body(records_[n % kKept]);
  }

 private:
  static constexpr std::size_t kKept = 32;

  std::array<tz_retire, kKept> records_{};
  std::size_t count_ = 0;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_LOCKSTEP_RECENT_RECORDS_H
