// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Brings the records of several harts into the order in which they are compared: that in which the bus granted their
 * accesses to memory.
 *
 * An engine reports records as they retire. The records of one hart are in order. But an access of one hart may be
 * granted before an access of another hart and retire after it. The place of a record in the order is the cycle of its
 * grant; for a record without an access it is the cycle of its execution. A record is given out when no hart can report
 * one with an earlier place any more.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_GRANT_ORDER_H
#define TRAPEZE_SIM_LOCKSTEP_GRANT_ORDER_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "kernel/engine.h"

namespace trapeze {

class GrantOrder {
 public:
  /** A hart that has reported nothing for so many cycles sleeps. Its next accesses are granted later than this. */
  static constexpr std::uint64_t kSilence = 1024;

  explicit GrantOrder(unsigned harts) : lanes_(harts) {}

  /** Takes in a record. Records must come in order of retirement, and their harts must exist. */
  void add(const tz_retire& record) {
    Lane& lane = lanes_[record.hart];
    const std::uint64_t own = record.cycle_mem != 0 ? record.cycle_mem : record.cycle_ex;
    lane.last = std::max(lane.last, own);
    lane.waiting.push_back({lane.last, record});
    retired_ = std::max(retired_, record.cycle_retire);
  }

  /** The earliest record, if no earlier one can come any more; with `all` whatever may come. Nothing if there is none.
   */
  std::optional<tz_retire> next(bool all = false) {
    Lane* first = nullptr;
    for (Lane& lane : lanes_) {
      if (lane.waiting.empty()) continue;
      if (first == nullptr || lane.waiting.front().place < first->waiting.front().place) first = &lane;
    }
    if (first == nullptr) return std::nullopt;
    const std::uint64_t place = first->waiting.front().place;
    for (const Lane& lane : lanes_) {
      if (!all && lane.waiting.empty() && lane.last < place && retired_ < place + kSilence && lanes_.size() > 1) {
        return std::nullopt;
      }
    }
    in_order_ &= place >= given_;
    given_ = place;
    const tz_retire record = first->waiting.front().record;
    first->waiting.pop_front();
    return record;
  }

  /** Whether a record that retired before `cycle` has not been given out yet. */
  bool waits_for(std::uint64_t cycle) const {
    return std::any_of(lanes_.begin(), lanes_.end(), [cycle](const Lane& lane) {
      return !lane.waiting.empty() && lane.waiting.front().record.cycle_retire < cycle;
    });
  }

  /** False: a record came too late for its place. */
  bool in_order() const { return in_order_; }

 private:
  struct Waiting {
    std::uint64_t place;
    tz_retire record;
  };
  struct Lane {
    std::deque<Waiting> waiting;
    std::uint64_t last = 0;  ///< place of the hart's last record
  };

  std::vector<Lane> lanes_;
  std::uint64_t retired_ = 0;  ///< cycle of the last retirement
  std::uint64_t given_ = 0;    ///< place of the last record given out
  bool in_order_ = true;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_LOCKSTEP_GRANT_ORDER_H
