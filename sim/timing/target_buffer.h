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

namespace trapeze::timing {

/** The entry to replace is found by a tree of bits, each of which says in which half the older entries are. */
class TargetBuffer {
 public:
  enum class Kind : std::uint8_t { kBranch, kJump, kCall, kReturn };
  struct Entry {
    std::uint64_t target = 0;
    Kind kind = Kind::kBranch;
  };

  explicit TargetBuffer(unsigned entries) : packets_(entries), entries_(entries), leaves_(leaves_of(entries)) {}

  void reset() {
    packets_.assign(packets_.size(), kNone);
    hints_.fill(0);
    older_ = 0;
  }
  const Entry* find(std::uint64_t packet) const {
    const unsigned place = place_of(packet);
    return place == packets_.size() ? nullptr : &entries_[place];
  }
  /** The entry of a packet, which has one, was used. */
  void touch(std::uint64_t packet) { use(hints_[hint_of(packet)]); }
  /** A packet has this entry from now on. */
  void learn(std::uint64_t packet, const Entry& entry) {
    unsigned place = place_of(packet);
    if (place == packets_.size()) {
      place = oldest();
      packets_[place] = packet;
      hints_[hint_of(packet)] = static_cast<std::uint8_t>(place);
    }
    entries_[place] = entry;
    use(place);
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::size_t kHints = 1024;
  /** The bits of the tree that an entry's use changes, and what they become. */
  struct Leaf {
    std::uint64_t mask = 0, bits = 0;
  };
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
  void use(unsigned place) { older_ = (older_ & ~leaves_[place].mask) | leaves_[place].bits; }
  /** Of `count` entries the lower half has a power of two; a node's bit stands above those of its halves: the upper's,
   * then the lower's. */
  static unsigned lower_half(unsigned count) {
    unsigned half = 1;
    while (2 * half < count) half *= 2;
    return half;
  }
  static std::vector<Leaf> leaves_of(unsigned entries) {
    std::vector<Leaf> leaves(entries);
    for (unsigned place = 0; place < entries; ++place) {
      unsigned count = entries, lowest = 0, at = place;
      while (count > 1) {
        const unsigned half = lower_half(count);
        const std::uint64_t node = std::uint64_t{1} << (lowest + count - 2);
        const bool upper = at >= half;
        leaves[place].mask |= node;
        if (!upper) leaves[place].bits |= node;  // set: the upper half is older
        if (upper) at -= half, lowest += half - 1, count -= half;
        else count = half;
      }
    }
    return leaves;
  }
  unsigned oldest() const {
    unsigned count = static_cast<unsigned>(packets_.size()), lowest = 0, at = 0;
    while (count > 1) {
      const unsigned half = lower_half(count);
      const bool upper = (older_ >> (lowest + count - 2) & 1U) != 0;
      if (upper) at += half, lowest += half - 1, count -= half;
      else count = half;
    }
    return at;
  }

  std::vector<std::uint64_t> packets_;
  std::vector<Entry> entries_;
  std::vector<Leaf> leaves_;
  std::uint64_t older_ = 0;
  mutable std::array<std::uint8_t, kHints> hints_{};  ///< where a packet's entry may be
};

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_TARGET_BUFFER_H
