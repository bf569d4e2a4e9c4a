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

const Cache::Way* Cache::find(std::uint64_t line) const {
  const Way* const set = set_of(line);
  const Way* const found = std::find_if(set, set + ways_, [line](const Way& way) { return way.line == line; });
  return found == set + ways_ ? nullptr : found;
}

/** The next random number: a shift register with feedback, as Rocket's RTL has it. */
std::uint32_t Cache::behind(std::uint32_t random) {
  const std::uint32_t bit = (random >> 15 ^ random >> 13 ^ random >> 12 ^ random >> 10) & 1U;
  return (random << 1 | bit) & 0xffffU;
}

/** With LRU a way without a line, or the least recently used one. The random one may be any, also if another has no
 * line. */
unsigned Cache::victim(const Way* set, std::uint32_t random) const {
  if (!lru_) return random & (ways_ - 1);
  for (unsigned n = 0; n < ways_; ++n) {
    if (set[n].line == kNone) return n;
  }
  return ways_ - 1;
}

void Cache::note(std::uint64_t line, bool dirty) {
  recent_[line & mask_] = line;
  recent_dirty_[line & mask_] = dirty ? line : kNone;
}

std::uint64_t Cache::next_replaced(std::uint64_t line) const {
  const Way* const set = set_of(line);
  return set[victim(set, steps_first_ ? behind(random_) : random_)].line;
}

Met Cache::access(std::uint64_t line, bool store) {
  Way* const set = &lines_[(line & mask_) * ways_];
  Way* way = find(line);
  Met met = Met::kHit;
  if (way == nullptr) {
    const std::uint32_t next = behind(random_);
    way = set + victim(set, steps_first_ ? next : random_);
    random_ = next;
    replaced_ = way->line;
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

void Cache::mark(std::uint64_t line) {
  if (Way* const way = find(line); way != nullptr) way->dirty = true;
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
