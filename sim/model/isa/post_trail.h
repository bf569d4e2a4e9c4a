// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Accesses to memory that were made for a senduipi before it executes, each in its place among the accesses of other
 * harts. When the instruction executes it takes the values from here; this class tells whether it makes the same
 * accesses.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_POST_TRAIL_H
#define TRAPEZE_SIM_MODEL_ISA_POST_TRAIL_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "kernel/oracle.h"

namespace trapeze::model {

/** One atomic operation on a word, with the value that the word had before. */
inline std::uint32_t operate(tz_word_op op, std::uint8_t* word, std::uint32_t operand) {
  std::uint32_t old = 0;
  std::memcpy(&old, word, sizeof old);
  std::uint32_t value = old;
  if (op == TZ_WORD_OR) value = old | operand;
  if (op == TZ_WORD_AND) value = old & operand;
  if (op == TZ_WORD_SWAP) value = operand;
  if (op == TZ_WORD_MARK) value = old | ((old & 3U) == 0 ? 1U : 0U);
  std::memcpy(word, &value, sizeof value);
  return old;
}

class PostTrail {
 public:
  /** `accesses`: in the order of their grants. */
  explicit PostTrail(std::span<const tz_word_access> accesses)
      : accesses_(accesses),
        next_(static_cast<std::size_t>(
            std::find_if(accesses.begin(), accesses.end(), [](const auto& one) { return one.op != TZ_WORD_LOAD; }) -
            accesses.begin())) {
    first_ = next_;
  }

  /** The value of the last load from an address before the first access that changes memory. */
  std::optional<std::uint32_t> loaded(std::uint64_t address) const {
    for (std::size_t i = first_; i-- != 0;) {
      if (accesses_[i].address == address && accesses_[i].found != 0) return accesses_[i].value;
    }
    return std::nullopt;
  }

  /** Value that the next access has found; that access must be this one. */
  std::uint32_t next(tz_word_op op, std::uint64_t address, std::uint32_t operand) {
    if (next_ < accesses_.size()) {
      const tz_word_access& one = accesses_[next_];
      const bool same = one.op == unsigned{op} && one.address == address &&
                        (op == TZ_WORD_LOAD || op == TZ_WORD_MARK || one.operand == operand);
      if (same && one.found != 0) {
        ++next_;
        return one.value;
      }
    }
    if (posted_.misses == 0) posted_.missing = {address, operand, op, 0, 0};
    posted_.misses = 1;
    return 0;
  }

  /** The instruction has set its bit in this UPID. */
  void set(std::uint64_t upid) {
    posted_.sets = 1;
    posted_.upid = upid;
  }

  /** What the instruction has done so far. An access for which there was no memory has done nothing. */
  tz_posted posted() const {
    tz_posted all = posted_;
    for (std::size_t i = next_; i < accesses_.size(); ++i) all.extra += accesses_[i].found;
    return all;
  }

 private:
  std::span<const tz_word_access> accesses_;
  std::size_t next_;
  std::size_t first_;  ///< index of the first access that changes memory
  tz_posted posted_{};
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_POST_TRAIL_H
