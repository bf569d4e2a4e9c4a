// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * About which of some entries was used longest ago: a tree of bits, each of which says in which half the older ones
 * are.
 */
#ifndef TRAPEZE_SIM_TIMING_RECENCY_H
#define TRAPEZE_SIM_TIMING_RECENCY_H

#include <cstdint>
#include <vector>

namespace trapeze::timing {

/** Of up to 64 entries. */
class Recency {
 public:
  explicit Recency(unsigned entries) : entries_(entries) {
    for (unsigned place = 0; place < entries; ++place) leaves_.push_back(leaf_of(place));
  }
  void reset() { older_ = 0; }
  void use(unsigned place) { older_ = (older_ & ~leaves_[place].mask) | leaves_[place].bits; }
  unsigned oldest() const {
    return follow([this](std::uint64_t node, unsigned /*half*/) { return (older_ & node) != 0; });
  }

 private:
  /** The bits of the tree that an entry's use changes, and what they become. A set bit: the upper half is older. */
  struct Leaf {
    std::uint64_t mask = 0, bits = 0;
  };
  /** Goes down the tree. `upper(node, half)`: whether to the upper half of a node, which begins with number `half`. The
   * lower half has a power of two; a node's bit stands above those of its halves: the upper's, then the lower's. */
  template <typename Upper>
  unsigned follow(const Upper& upper) const {
    unsigned count = entries_;
    unsigned lowest = 0;
    unsigned first = 0;
    while (count > 1) {
      unsigned half = 1;
      while (2 * half < count) half *= 2;
      if (upper(std::uint64_t{1} << (lowest + count - 2), first + half)) {
        first += half;
        lowest += half - 1;
        count -= half;
      } else {
        count = half;
      }
    }
    return first;
  }
  Leaf leaf_of(unsigned place) const {
    Leaf leaf;
    follow([&](std::uint64_t node, unsigned half) {
      leaf.mask |= node;
      if (place < half) leaf.bits |= node;
      return place >= half;
    });
    return leaf;
  }

  unsigned entries_;
  std::vector<Leaf> leaves_;
  std::uint64_t older_ = 0;
};

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_RECENCY_H
