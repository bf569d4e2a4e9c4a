// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "timing/translations.h"

#include <algorithm>
#include <bit>

namespace trapeze::timing {

unsigned Kept::find(std::uint64_t number) const {
  return static_cast<unsigned>(std::find(numbers_.begin(), numbers_.end(), number) - numbers_.begin());
}

bool Kept::use(std::uint64_t number) {
  const unsigned place = find(number);
  if (place == size()) return false;
  recency_.use(place);
  return true;
}

unsigned Kept::keep(std::uint64_t number) {
  unsigned place = find(kNone);
  if (place == size()) place = recency_.oldest();
  numbers_[place] = number;
  recency_.use(place);
  return place;
}

Translations::Translations(const model::TimingPlan::Translation& plan)
    : shift_(static_cast<unsigned>(std::countr_zero(plan.pages))),
      groups_(plan.entries),
      present_(plan.entries),
      large_(plan.large) {}

void Translations::forget() {
  groups_.forget();
  large_.forget();
  recent_ = Kept::kNone;
}

/** The number of a large page, with its level in the highest bits. */
std::uint64_t Translations::large(std::uint64_t address, unsigned level) const {
  constexpr unsigned kWhere = 56;
  return (address >> (kPage + kIndex * level) & ((std::uint64_t{1} << kWhere) - 1)) | std::uint64_t{level} << kWhere;
}

void Translations::forget(std::uint64_t address) {
  recent_ = Kept::kNone;
  const std::uint64_t page = address >> kPage;
  if (const unsigned place = groups_.find(page >> shift_); place != groups_.size()) {
    present_[place] &= ~(std::uint64_t{1} << (page % (1U << shift_)));
    if (present_[place] == 0) groups_.drop(place);
  }
  for (unsigned level = 1; level < kLevels; ++level) {
    if (const unsigned place = large_.find(large(address, level)); place != large_.size()) large_.drop(place);
  }
}

bool Translations::use(std::uint64_t address) {
  const std::uint64_t page = address >> kPage;
  const unsigned place = groups_.find(page >> shift_);
  bool found = false;
  if (place != groups_.size() && (present_[place] >> (page % (1U << shift_)) & 1U) != 0) {
    groups_.use(page >> shift_);
    found = true;
  }
  for (unsigned level = 1; !found && level < kLevels; ++level) found = large_.use(large(address, level));
  if (found) recent_ = page;
  return found;
}

void Translations::keep(std::uint64_t address, unsigned level) {
  const std::uint64_t page = address >> kPage;
  recent_ = page;
  if (level != 0) {
    large_.keep(large(address, level));
    return;
  }
  const std::uint64_t bit = std::uint64_t{1} << (page % (1U << shift_));
  if (const unsigned place = groups_.find(page >> shift_); place != groups_.size()) {
    present_[place] |= bit;
    groups_.use(page >> shift_);
  } else {
    present_[groups_.keep(page >> shift_)] = bit;
  }
}

}  // namespace trapeze::timing
