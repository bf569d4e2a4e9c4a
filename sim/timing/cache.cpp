// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "timing/cache.h"

#include <algorithm>

namespace trapeze::timing {

void Cache::reset() {
  random_ = kSeed;
  invalidate_all();
}

void Cache::invalidate_all() {
  const auto sets = static_cast<std::size_t>(mask_ + 1);
  lines_.assign(sets * ways_, {});
  recent_.assign(sets, kNone);
  recent_dirty_.assign(sets, kNone);
}

Cache::Way* Cache::find(std::uint64_t line) {
  Way* const set = set_of(line);
  Way* const found = std::find_if(set, set + ways_, [line](const Way& way) { return way.line == line; });
  return found == set + ways_ ? nullptr : found;
}

bool Cache::holds(std::uint64_t line) const {
  const auto set = lines_.begin() + static_cast<std::ptrdiff_t>((line & mask_) * ways_);
  return std::any_of(set, set + ways_, [line](const Way& way) { return way.line == line; });
}

/** The next random number: a shift register with feedback, as Rocket's RTL has it. */
void Cache::step() {
  const std::uint32_t bit = (random_ >> 15 ^ random_ >> 13 ^ random_ >> 12 ^ random_ >> 10) & 1U;
  random_ = (random_ << 1 | bit) & 0xffffU;
}

/** With LRU a way without a line, or the least recently used one. The random one may be any, also if another has no
 * line. */
unsigned Cache::victim(const Way* set) const {
  if (!lru_) return random_ & (ways_ - 1);
  for (unsigned n = 0; n < ways_; ++n) {
    if (set[n].line == kNone) return n;
  }
  return ways_ - 1;
}

void Cache::note(std::uint64_t line, bool dirty) {
  recent_[line & mask_] = line;
  recent_dirty_[line & mask_] = dirty ? line : kNone;
}

Met Cache::access(std::uint64_t line, bool store) {
  Way* const set = set_of(line);
  Way* way = find(line);
  Met met = Met::kHit;
  if (way == nullptr) {
    if (steps_first_) step();
    way = set + victim(set);
    if (!steps_first_) step();
    met = way->dirty ? Met::kDirtyMiss : Met::kMiss;
    *way = {line, false};
  }
  if (met == Met::kHit && store && !way->dirty) met = Met::kFirstStore;
  way->dirty |= store;
  note(line, way->dirty);
  if (lru_) std::rotate(set, way, way + 1);
  return met;
}

bool Cache::invalidate(std::uint64_t line) {
  Way* const way = find(line);
  if (way == nullptr) return false;
  if (recent_[line & mask_] == line) note(line, false), recent_[line & mask_] = kNone;
  const bool dirty = way->dirty;
  *way = {};
  return dirty;
}

bool Cache::clean(std::uint64_t line) {
  Way* const way = find(line);
  if (way == nullptr) return false;
  if (recent_[line & mask_] == line) note(line, false);
  const bool dirty = way->dirty;
  way->dirty = false;
  return dirty;
}

}  // namespace trapeze::timing
