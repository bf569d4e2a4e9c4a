// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Watched addresses of one hart, and the instructions that met them (tz_watch, tz_hit in kernel/engine.h).
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_WATCHES_H
#define TRAPEZE_SIM_MODEL_ISA_WATCHES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kernel/engine.h"
#include "model/memory/memory.h"

namespace trapeze::model {

class Watches {
 public:
  Watches() = default;
  /** Those of `all` that are of hart `hart`. */
  Watches(std::span<const tz_watch> all, unsigned hart) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].hart == hart) of(all[i].kind).push_back({all[i].address, all[i].size, static_cast<std::uint32_t>(i)});
    }
  }

  bool executes() const { return !kinds_[TZ_WATCH_EXECUTE].empty(); }
  bool executes(std::uint64_t pc) const { return meets(TZ_WATCH_EXECUTE, pc, 1); }
  /** Whether something of `kind` (load or store) is watched in the page that holds `address`, or `physical`: accesses
   * to it are looked at one by one. */
  bool in_page(tz_watch_kind kind, std::uint64_t address, std::uint64_t physical) const {
    return meets(kind, address & ~(kPageBytes - 1), kPageBytes) ||
           meets(of_user(kind), physical & ~(kPageBytes - 1), kPageBytes);
  }

  /** An instruction at `pc` has executed. */
  void execute(std::uint64_t pc, std::uint64_t now) { note(TZ_WATCH_EXECUTE, pc, 1, {now, now, pc, 0, 0, 0}); }
  /** It has accessed memory, in `user` mode or not. Returns whether a watch was met. */
  bool access(tz_watch_kind kind, std::uint64_t address, std::uint64_t physical, bool user, unsigned size,
              std::uint64_t value, std::uint64_t now) {
    const bool by_user = user && !of(of_user(kind)).empty();
    if (of(kind).empty() && !by_user) return false;
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * size);
    bool any = note(kind, address, size, {now, now, address, value & mask, 0, size});
    if (by_user) any |= note(of_user(kind), physical, size, {now, now, physical, value & mask, 0, size});
    return any;
  }

  bool met() const { return !hits_.empty(); }
  /** What was met since the last call. */
  std::vector<tz_hit> take() { return std::exchange(hits_, {}); }

 private:
  struct Range {
    std::uint64_t address;
    std::uint64_t size;
    std::uint32_t index;  ///< in the run's list

    bool meets(std::uint64_t other, std::uint64_t bytes) const {
      return other - address < size || address - other < bytes;  // below its begin the difference wraps around
    }
  };

  static constexpr tz_watch_kind of_user(tz_watch_kind kind) {
    return kind == TZ_WATCH_LOAD ? TZ_WATCH_USER_LOAD : TZ_WATCH_USER_STORE;
  }
  std::vector<Range>& of(unsigned kind) { return kinds_[kind]; }
  bool meets(tz_watch_kind kind, std::uint64_t address, std::uint64_t size) const {
    for (const Range& range : kinds_[kind]) {
      if (range.meets(address, size)) return true;
    }
    return false;
  }
  bool note(tz_watch_kind kind, std::uint64_t address, std::uint64_t size, tz_hit hit) {
    bool any = false;
    for (const Range& range : kinds_[kind]) {
      if (!range.meets(address, size)) continue;
      hit.watch = range.index;
      hits_.push_back(hit);
      any = true;
    }
    return any;
  }

  std::array<std::vector<Range>, TZ_WATCH_USER_STORE + 1> kinds_;
  std::vector<tz_hit> hits_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_WATCHES_H
