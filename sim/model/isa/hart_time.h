// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart for a policy of time other than the number of instructions.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_TIME_H
#define TRAPEZE_SIM_MODEL_ISA_HART_TIME_H

#include <algorithm>
#include <array>
#include <span>

#include "kernel/sv39.h"
#include "model/isa/hart.h"

namespace trapeze::model {

/** The way through a block that begins in a situation becomes the current one. */
template <Kind K, class Time>
void Hart<K, Time>::take_way(Block& block, const Situation& from) {
  auto& ways = block.ways;
  for (std::uint8_t n = 0; n < ways.kept.size(); ++n) {
    if (ways.kept[n].from == from && ways.kept[n].cost != OfTime<Time>::kUnknown) {
      ways.current = n;
      return;
    }
  }
  ways.current = ways.oldest;
  ways.oldest = static_cast<std::uint8_t>((ways.oldest + 1) % ways.kept.size());
  auto& way = ways.kept[ways.current];
  way.from = way.to = from;
  way.cost = static_cast<std::uint32_t>(cost_of(block, 0, block.count, way.to));
}

/** What the instructions of a block from one number to before another cost by themselves. `situation` is the one in
 * which they begin, and becomes the one behind them. */
template <Kind K, class Time>
std::uint64_t Hart<K, Time>::cost_of(const Block& block, std::uint64_t first, std::uint64_t last,
                                     Situation& situation) const {
  static_assert(!Time::kIsCount);
  return first < last ? time_.advance(situation, &block.sources[first].slot, sizeof(block.sources[0]), last - first)
                      : 0;
}

/** The access of instruction number `index` of a block took longer than its place in the pipeline: what is behind it is
 * worked out anew. Returns what the block costs more. */
template <Kind K, class Time>
std::int64_t Hart<K, Time>::stall(const Block& block, std::uint64_t index, Course& course, std::uint64_t met) {
  Situation situation = course.from;
  std::uint64_t cost = cost_of(block, course.first, index, situation);
  cost += time_.stalled(situation, block.sources[index].slot, met);
  const std::uint64_t known = course.cost;
  course = {situation, static_cast<std::uint32_t>(index + 1), 0};
  course.cost = static_cast<std::uint32_t>(cost_of(block, index + 1, block.count, situation));
  time_.become(situation);
  return static_cast<std::int64_t>(cost + course.cost) - static_cast<std::int64_t>(known);
}

// --- translation

/** The entries of tables on the way to a page. */
template <Kind K, class Time>
struct Hart<K, Time>::Steps {
  std::array<std::uint64_t, sv39::kLevels> places{};
  std::size_t count = 0;
  std::span<const std::uint64_t> span() const { return {places.data(), count}; }
};

template <Kind K, class Time>
auto Hart<K, Time>::steps_to(Word address) const -> Steps {
  Steps steps;
  sv39::walk(csr_.supervisor().satp, address, sv39::Any{}, [&](std::uint64_t place, bool write) {
    if (!write) steps.places[steps.count++] = place;
    return bus_.memory(place, sv39::kEntryBytes);
  });
  return steps;
}

template <Kind K, class Time>
std::uint64_t Hart<K, Time>::walk_for_data(Word address) {
  if (time_.use_data(address)) return 0;
  return time_.walked_data(address, steps_to(address).span(), sv39::kLevels);
}

template <Kind K, class Time>
void Hart<K, Time>::walk_for_code(Word address) {
  if (time_.use_code(address)) return;
  time_.walked_code(address, steps_to(address).span(), sv39::kLevels);
}

/** An access off the fast path. One to two lines or pages is two. */
template <Kind K, class Time>
void Hart<K, Time>::spend_access(Word address, const Span& where, unsigned size, bool device, bool store) {
  if constexpr (K.supervisor) {
    if (door_.translates(AccessKind::kLoad)) {
      for (const Word at : {address, address + size - 1}) {
        if (!time_.recent_data(at)) unpaid_ = Time::both(unpaid_, walk_for_data(at));
      }
    }
  }
  if (device) return spend(store ? time_.device_store() : time_.device_load());
  const auto touch = [&](Word physical, unsigned bytes) {
    unpaid_ = Time::both(unpaid_, store ? time_.store(physical, bytes) : time_.load(physical, bytes));
  };
  const Word last = where.at(size - 1);
  touch(where.first, size);
  if (time_.data_line(last) != time_.data_line(where.first)) touch(last, 1);
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_TIME_H
