// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/interrupt_table.h"

#include <algorithm>
#include <bit>

namespace trapeze {

const char* to_words(Fate fate) {
  switch (fate) {
    case Fate::kNotTaken:
      return "the interrupt was not taken";
    case Fate::kTaken:
      return "its handler did not begin";
    case Fate::kRunning:
      return "its handler did not reach TRAPEZE_MARKER(1)";
    case Fate::kMarked:
      return "its handler reached TRAPEZE_MARKER(1)";
    case Fate::kReturned:
      return "its handler returned without TRAPEZE_MARKER(1)";
    case Fate::kNotAttributed:
      break;
  }
  return "its handler went on in another context, where no marker can be attributed to it";
}

std::uint64_t Distances::rounded(std::uint64_t cycles) {
  constexpr int kBits = 16;
  const int spare = std::max(0, static_cast<int>(std::bit_width(cycles)) - kBits);
  const std::uint64_t below = (std::uint64_t{1} << spare) - 1;
  return (cycles & below) == 0 ? cycles : (cycles | below) + 1;
}

void ArrivalResult::add(const InterruptStamp& stamp) {
  ++fates[static_cast<std::size_t>(stamp.fate)];
  if (stamp.taken) taken.add(*stamp.taken - stamp.t0);
  if (stamp.tf) tf.add(*stamp.tf - stamp.t0);
  if (stamp.tr) tr.add(*stamp.tr - stamp.t0);
  if (!stamp.tx) {
    if (!unmarked || stamp.t0 < unmarked->t0) unmarked = stamp;
    return;
  }
  const std::uint64_t cycles = *stamp.tx - stamp.t0;
  tx.add(cycles);
  if (!worst || cycles > *worst->tx - worst->t0) worst = stamp;
  if (!best || cycles < *best->tx - best->t0) best = stamp;
}

InterruptStamp* InterruptTable::find(std::size_t index) {
  if (index < listed_.size()) return &listed_[index];
  const auto found =
      std::find_if(passing_.begin(), passing_.end(), [&](const Passing& one) { return one.index == index; });
  return found == passing_.end() ? nullptr : &found->stamp;
}

InterruptStamp& InterruptTable::begin(std::size_t index, std::size_t stimulus) {
  if (index < kFirstOfStimuli) {
    if (listed_.size() <= index) listed_.resize(index + 1);
    return listed_[index];
  }
  if (arrivals_.size() <= stimulus) arrivals_.resize(stimulus + 1);
  ++arrivals_[stimulus].raised;
  if (passing_.size() == kMostPassing) forget(0);
  passing_.push_back({index, stimulus, {}});
  return passing_.back().stamp;
}

void InterruptTable::count_claim(unsigned hart, unsigned line, std::uint64_t cycle) {
  const auto count = [&](InterruptStamp& stamp) {
    if (stamp.raised && stamp.hart == hart && stamp.line == line && cycle >= stamp.t0) ++stamp.taken_count;
  };
  for (InterruptStamp& stamp : listed_) count(stamp);
  for (Passing& one : passing_) count(one.stamp);
}

void InterruptTable::forget(std::size_t position) {
  const Passing& one = passing_[position];
  arrivals_[one.stimulus].add(one.stamp);
  if (keep_ && *keep_ == one.stamp.t0) kept_.push_back(one.stamp);
  passing_.erase(passing_.begin() + static_cast<std::ptrdiff_t>(position));
}

void InterruptTable::settle() {
  for (std::size_t i = 0; i < passing_.size();) {
    const Fate fate = passing_[i].stamp.fate;
    if (fate == Fate::kMarked || fate == Fate::kReturned || fate == Fate::kNotAttributed) {
      forget(i);
    } else {
      ++i;
    }
  }
}

void InterruptTable::finish() {
  while (!passing_.empty()) forget(0);
}

}  // namespace trapeze
