// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Reservations of LR: one for each hart, of one aligned word (LR.D: double word).
 *
 * A reservation ends with a write to a byte of the word by any hart, its own included; with the hart's next LR or SC,
 * to whatever address; with a trap of the hart and with the return from one. An SC to the reserved word succeeds.
 * Sources: Unprivileged ISA 20191213, chapter 8.2; docs/core.md for what that leaves open.
 */
#ifndef TRAPEZE_SIM_MODEL_MEMORY_RESERVATIONS_H
#define TRAPEZE_SIM_MODEL_MEMORY_RESERVATIONS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trapeze::model {

/** The reservations of all harts. A word is named by its host address, because harts may have different memories at the
 * same address. */
class Reservations {
 public:
  /** LR of `hart`. */
  void reserve(unsigned hart, const std::uint8_t* word, unsigned size) {
    if (hart >= words_.size()) words_.resize(hart + 1);
    words_[hart] = {word, size};
    ++changes_;
  }
  /** Grows with each LR. A hart must then forget its pointers for stores, which may lead to the reserved word. */
  std::uint64_t changes() const { return changes_; }
  /** Calls `see(word)` for each word that another hart than `hart` has reserved. */
  template <typename See>
  void of_others(unsigned hart, See&& see) const {
    for (unsigned n = 0; n < words_.size(); ++n) {
      if (n != hart && words_[n].word != nullptr) see(words_[n].word);
    }
  }
  /** SC of `hart`: whether it may store. Ends the reservation in any case. */
  bool take(unsigned hart, const std::uint8_t* word, unsigned size) {
    if (hart >= words_.size()) return false;
    const bool held = words_[hart].word == word && words_[hart].size == size;
    words_[hart] = {};
    return held;
  }
  /** A trap of `hart`, or its return from one. */
  void forget(unsigned hart) {
    if (hart < words_.size()) words_[hart] = {};
  }
  /** `size` bytes at `bytes` are written: ends the reservations of words in them. */
  void written(const std::uint8_t* bytes, std::uint64_t size) {
    for (Reserved& reserved : words_) {
      if (reserved.overlaps(bytes, size)) reserved = {};
    }
  }
  /** Whether there is a reservation within `size` bytes at `bytes`. */
  bool within(const std::uint8_t* bytes, std::uint64_t size) const {
    for (const Reserved& reserved : words_) {
      if (reserved.overlaps(bytes, size)) return true;
    }
    return false;
  }
  void clear() { words_.clear(); }

 private:
  struct Reserved {
    const std::uint8_t* word = nullptr;
    unsigned size = 0;

    bool overlaps(const std::uint8_t* bytes, std::uint64_t count) const {
      return word != nullptr && bytes < word + size && word < bytes + count;
    }
  };
  std::vector<Reserved> words_;
  std::uint64_t changes_ = 0;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_MEMORY_RESERVATIONS_H
