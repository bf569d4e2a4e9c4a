// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A buffer of the targets of branches, each entry for any packet of code.
 */
#ifndef TRAPEZE_SIM_TIMING_TARGET_BUFFER_H
#define TRAPEZE_SIM_TIMING_TARGET_BUFFER_H

#include <array>
#include <cstdint>
#include <vector>

#include "timing/recency.h"

namespace trapeze::timing {

class TargetBuffer {
 public:
  enum class Kind : std::uint8_t { kBranch, kJump, kCall, kReturn };
  struct Entry {
    std::uint64_t target = 0;
    Kind kind = Kind::kBranch;
  };

  explicit TargetBuffer(unsigned entries) : packets_(entries), entries_(entries), recency_(entries) {}

  void reset() {
    packets_.assign(packets_.size(), kNone);
    hints_.fill(0);
    recency_.reset();
  }
  const Entry* find(std::uint64_t packet) const {
    const unsigned place = place_of(packet);
    return place == packets_.size() ? nullptr : &entries_[place];
  }
  /** The entry of a packet, which has one, was used. */
  void touch(std::uint64_t packet) { recency_.use(hints_[hint_of(packet)]); }
  /** A packet has this entry from now on. */
  void learn(std::uint64_t packet, const Entry& entry) {
    unsigned place = place_of(packet);
    if (place == packets_.size()) {
      place = recency_.oldest();
      packets_[place] = packet;
      hints_[hint_of(packet)] = static_cast<std::uint8_t>(place);
    }
    entries_[place] = entry;
    recency_.use(place);
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::size_t kHints = 1024;
  static std::size_t hint_of(std::uint64_t packet) { return (packet ^ packet >> 10) % kHints; }
  /** Where a packet's entry is; behind the last one if it has none. */
  unsigned place_of(std::uint64_t packet) const {
    const unsigned hint = hints_[hint_of(packet)];
    if (packets_[hint] == packet) [[likely]]
      return hint;
    for (unsigned place = 0; place < packets_.size(); ++place) {
      if (packets_[place] != packet) continue;
      hints_[hint_of(packet)] = static_cast<std::uint8_t>(place);
      return place;
    }
    return static_cast<unsigned>(packets_.size());
  }

  std::vector<std::uint64_t> packets_;
  std::vector<Entry> entries_;
  Recency recency_;
  mutable std::array<std::uint8_t, kHints> hints_{};  ///< where a packet's entry may be
};

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_TARGET_BUFFER_H
