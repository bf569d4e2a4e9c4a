// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Which translations a hart keeps: of pages, in entries for several pages next to each other; of large pages; and where
 * the tables of the next level are, for walks.
 */
#ifndef TRAPEZE_SIM_TIMING_TRANSLATIONS_H
#define TRAPEZE_SIM_TIMING_TRANSLATIONS_H

#include <cstdint>
#include <vector>

#include "model/platform/timing_plan.h"
#include "timing/recency.h"

namespace trapeze::timing {

/** Numbers of some kind, of which so many are kept; the one that was used longest ago makes room. */
class Kept {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  explicit Kept(unsigned entries) : numbers_(entries, kNone), recency_(entries) {}
  void forget() { numbers_.assign(numbers_.size(), kNone); }
  /** Where a number is; behind the last place: nowhere. */
  unsigned find(std::uint64_t number) const;
  bool use(std::uint64_t number);
  /** Keeps a number that is not there; where it is now. */
  unsigned keep(std::uint64_t number);
  void drop(unsigned place) { numbers_[place] = kNone; }
  unsigned size() const { return static_cast<unsigned>(numbers_.size()); }

 private:
  std::vector<std::uint64_t> numbers_;
  Recency recency_;
};

/** Translations of either data or code. */
class Translations {
 public:
  explicit Translations(const model::TimingPlan::Translation& plan);
  void forget();
  /** sfence.vma of an address. */
  void forget(std::uint64_t address);
  /** Whether the page is the one that was used last: then its use changes nothing. */
  bool is_recent(std::uint64_t address) const { return address >> kPage == recent_; }
  /** Whether the translation of an address is kept; it is used then. */
  bool use(std::uint64_t address);
  /** Keeps the translation of an address by a page of a level of tables, 0 for the smallest pages. */
  void keep(std::uint64_t address, unsigned level);

 private:
  static constexpr unsigned kPage = 12, kIndex = 9, kLevels = 3;  // Privileged ISA 20211203, section 4.4
  std::uint64_t large(std::uint64_t address, unsigned level) const;

  unsigned shift_;  ///< bits of a page's number within its entry
  Kept groups_;
  std::vector<std::uint64_t> present_;  ///< pages of each group, a bit for each
  Kept large_;
  std::uint64_t recent_ = Kept::kNone;
};

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_TRANSLATIONS_H
