// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Finds accesses that lockstep cannot compare. An access to shared memory that crosses a word is granted as two
 * accesses, and an access of another hart may come between them. The follower makes both at once. So a program in which
 * this happens at the same words cannot be compared.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_SPLIT_ACCESSES_H
#define TRAPEZE_SIM_LOCKSTEP_SPLIT_ACCESSES_H

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>

#include "kernel/engine.h"

namespace trapeze {

class SplitAccesses {
 public:
  /** `record` accesses shared memory. True if it and an access of another hart reach the same word, one of them is a
   * store, and one was granted between the two words of the other. */
  bool meets(const tz_retire& record) {
    const Access access = access_of(record);
    std::erase_if(recent_, [&](const Access& old) { return old.last + kKept < access.first; });
    const bool found = std::any_of(recent_.begin(), recent_.end(), [&](const Access& old) {
      const bool split = old.first != old.last || access.first != access.last;
      const bool together = old.first <= access.last && access.first <= old.last;
      const bool same = old.low <= access.high && access.low <= old.high;
      return old.hart != access.hart && split && together && same && (old.stores || access.stores);
    });
    recent_.push_back(access);
    return found;
  }

 private:
  static constexpr std::uint64_t kKept = 1024;  ///< cycles for which an access is kept
  struct Access {
    unsigned hart;
    bool stores;
    std::uint64_t first, last;  ///< cycles in which its first and its last word were granted
    std::uint64_t low, high;    ///< numbers (address / 4) of its first and its last word
  };

  static Access access_of(const tz_retire& record) {
    const auto bytes = static_cast<unsigned>(std::bit_width(unsigned{record.mem_rmask} | record.mem_wmask));
    const std::uint64_t end = record.mem_addr + (bytes == 0 ? 1 : bytes);
    return {record.hart,         record.mem_wmask != 0, record.cycle_mem, std::max(record.cycle_mem, record.cycle_mem2),
            record.mem_addr / 4, (end - 1) / 4};
  }

  std::deque<Access> recent_;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_LOCKSTEP_SPLIT_ACCESSES_H
