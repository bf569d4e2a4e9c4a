// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart for a policy of time other than the number of instructions.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_TIME_H
#define TRAPEZE_SIM_MODEL_ISA_HART_TIME_H

#include <algorithm>

#include "model/isa/hart.h"

namespace trapeze::model {

/** The way through a block that begins in a situation becomes the one in front. */
template <Kind K, class Time>
void Hart<K, Time>::take_way(Block& block, const Situation& from) {
  auto& ways = block.ways;
  if (ways.front().from == from && ways.front().cost != 0) [[likely]] {
    return;
  }
  const auto known =
      std::find_if(ways.begin(), ways.end(), [&](const auto& one) { return one.cost != 0 && one.from == from; });
  if (known != ways.end()) {
    std::rotate(ways.begin(), known, known + 1);
  } else {
    std::rotate(ways.begin(), ways.end() - 1, ways.end());
    auto& way = ways.front();
    way.from = way.to = from;
    way.cost = static_cast<std::uint32_t>(cost_before(block, block.count, way.to));
  }
}

/** What the first instructions of a block cost by themselves, up to number `index`. `situation` is the one in which the
 * block begins, and becomes the one before that instruction. */
template <Kind K, class Time>
std::uint64_t Hart<K, Time>::cost_before(const Block& block, std::uint64_t index, Situation& situation) const {
  std::uint64_t sum = 0;
  static_assert(!Time::kIsCount);
  for (std::uint64_t n = 0; n < index; ++n) sum += time_.advance(situation, block.sources[n].slot);
  return sum;
}

/** An access off the fast path. One to two lines or pages is two. */
template <Kind K, class Time>
void Hart<K, Time>::spend_access(const Span& where, unsigned size, bool device, bool store) {
  if (device) return spend(store ? time_.device_store() : time_.device_load());
  const auto touch = [&](Word physical) { spend(store ? time_.store(physical) : time_.load(physical)); };
  const Word last = where.at(size - 1);
  touch(where.first);
  if (time_.data_line(last) != time_.data_line(where.first)) touch(last);
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_TIME_H
