// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Which lines a cache holds, by physical addresses, and which of them are dirty. It has no data.
 */
#ifndef TRAPEZE_SIM_TIMING_CACHE_H
#define TRAPEZE_SIM_TIMING_CACHE_H

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/platform/timing_plan.h"

namespace trapeze::timing {

/** What an access met. A first store is a hit that makes its line dirty. */
enum class Met : std::uint8_t { kHit, kFirstStore, kMiss, kDirtyMiss };

/** Write-back, write-allocate. Sizes are powers of two. */
class Cache {
 public:
  /** `is_code`: the random number of a miss is the one behind it, as in Rocket's instruction cache; in its data cache
   * it is the one before. */
  Cache(const model::TimingPlan::Cache& plan, bool is_code)
      : shift_(static_cast<unsigned>(std::countr_zero(plan.line))),
        ways_(plan.ways),
        mask_(plan.size / plan.line / plan.ways - 1),
        lru_(plan.lru),
        steps_first_(is_code) {
    reset();
  }

  void reset();
  std::uint64_t line(std::uint64_t address) const { return address >> shift_; }
  std::uint64_t address(std::uint64_t line) const { return line << shift_; }
  std::uint64_t bytes() const { return std::uint64_t{1} << shift_; }

  /** Whether the line of an access is the last one of its set that was accessed. Such an access changes nothing. */
  bool is_recent(std::uint64_t line) const { return recent_[line & mask_] == line; }
  /** The same of a store: it is dirty, too. */
  bool is_recent_dirty(std::uint64_t line) const { return recent_dirty_[line & mask_] == line; }
  bool holds(std::uint64_t line) const { return find(line) != nullptr; }
  bool is_dirty(std::uint64_t line) const {
    const Way* const way = find(line);
    return way != nullptr && way->dirty;
  }
  Met access(std::uint64_t line, bool store);
  /** The line that the last miss replaced; kNone: none. */
  std::uint64_t replaced() const { return replaced_; }
  /** The same of an access to this line, if it missed now. */
  std::uint64_t next_replaced(std::uint64_t line) const;

  /** Forgets a line; whether it was dirty. */
  bool invalidate(std::uint64_t line);
  /** A line that is here is dirty from now on. */
  void mark(std::uint64_t line);
  /** A line is no longer dirty; whether it was. */
  bool clean(std::uint64_t line);
  /** Forgets all lines, as if none had been dirty. */
  void invalidate_all();

  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

 private:
  static constexpr std::uint32_t kSeed = 1;
  static std::uint32_t behind(std::uint32_t random);
  struct Way {
    std::uint64_t line = kNone;
    bool dirty = false;
  };
  const Way* set_of(std::uint64_t line) const { return &lines_[(line & mask_) * ways_]; }
  const Way* find(std::uint64_t line) const;
  Way* find(std::uint64_t line) { return const_cast<Way*>(std::as_const(*this).find(line)); }
  /** The number of the way to replace, by the random number of a miss. */
  unsigned victim(const Way* set, std::uint32_t random) const;
  void note(std::uint64_t line, bool dirty);

  unsigned shift_, ways_;
  std::uint64_t mask_;
  bool lru_, steps_first_;
  std::uint32_t random_ = kSeed;
  std::uint64_t replaced_ = kNone;
  std::vector<Way> lines_;                   ///< set by set; with LRU the most recent one first
  std::vector<std::uint64_t> recent_;        ///< the last line accessed of each set
  std::vector<std::uint64_t> recent_dirty_;  ///< the same if it is dirty
};

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_CACHE_H
