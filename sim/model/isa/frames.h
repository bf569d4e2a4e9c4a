// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The frames of a hart with fastirq in memory: how their words are stored and loaded, and what the hart remembers of
 * them. When a frame is saved and left says hart_fast.h.
 *
 * Sources: docs/fastirq.md; docs/user-level-interrupts.md for frames of user mode.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_FRAMES_H
#define TRAPEZE_SIM_MODEL_ISA_FRAMES_H

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "model/isa/choices.h"
#include "model/isa/csr.h"
#include "model/isa/door.h"
#include "model/isa/fast.h"

namespace trapeze::model {

template <Kind K, class Time>
class Frames {
 public:
  using Word = Register<K.xlen>;
  using Words = std::array<Word, FrameLayout::kMostWords>;

  Frames(const CsrFile<K>& csr, Door<K, Time>& door) : csr_(csr), door_(door) {}

  FrameLayout layout() const { return frame_layout(csr_.params()); }
  /** The frame at a stack pointer. */
  static Word base(Word sp) { return sp & ~Word{3}; }
  static Word word(Word base, unsigned index) { return base + 4 * Word{index}; }

  /** An interrupt was entered; it has saved no frame yet. */
  void begin() { state_.saved.reset(); }
  /** Stores the frame that an interrupt saves. If a word of it cannot be stored an exception is due. */
  void store(unsigned privilege, Word base, const Words& words);
  /** Loads a word of a frame. With `choices` some words are in a bank: rows do not judge these, and memory may have
   * another value. Nothing: the word may not be loaded. */
  std::optional<Word> load(unsigned privilege, Word address, const Choices* choices) const;
  /** Whether user mode may store a frame below its stack pointer. */
  bool storable(Word sp) const;

  /** Whether exceptions for frames are due. */
  bool faulty() const { return !state_.faults.empty(); }
  /** Takes the oldest out of the list; returns its mtval. */
  Word take_fault();
  void forget_faults() { state_.faults.clear(); }

  /** A user interrupt comes whose frame user mode may not store below its stack pointer. */
  void refuse(Word sp) { state_.refused = base(sp - layout().bytes); }
  bool refused() const { return state_.refused.has_value(); }
  /** Takes that frame out; returns its mtval. Requires refused(). */
  Word take_refused() { return *std::exchange(state_.refused, std::nullopt); }

  const FrameState& state() const { return state_; }
  void restore(const FrameState& state) { state_ = state; }

 private:
  const CsrFile<K>& csr_;
  Door<K, Time>& door_;
  FrameState state_;
};

template <Kind K, class Time>
void Frames<K, Time>::store(unsigned privilege, Word base, const Words& words) {
  const AccessKind kind = privilege == kUser ? AccessKind::kUserFrameStore : AccessKind::kFrameStore;
  state_.saved = base;
  state_.lost.clear();
  for (unsigned i = 0; i < layout().words; ++i) {
    const Word address = word(base, i);
    const auto value = static_cast<std::uint32_t>(words[i]);
    std::uint8_t* const host = door_.modifiable(kind, address, sizeof value);
    if (host != nullptr) {
      std::memcpy(host, &value, sizeof value);
    } else {
      state_.lost.push_back({address, value});
    }
  }
  if (!state_.lost.empty()) state_.faults.push_back(state_.lost.front().address);
}

template <Kind K, class Time>
auto Frames<K, Time>::load(unsigned privilege, Word address, const Choices* choices) const -> std::optional<Word> {
  if (choices != nullptr) {
    const auto found = choices->kept.find(address);
    if (found != choices->kept.end()) return found->second;
  }
  std::uint32_t value = 0;
  const AccessKind kind = privilege == kUser ? AccessKind::kUserFrameLoad : AccessKind::kFrameLoad;
  const std::uint8_t* host = door_.readable(kind, address, sizeof value);
  if (host == nullptr) return std::nullopt;
  std::memcpy(&value, host, sizeof value);
  return value;
}

template <Kind K, class Time>
bool Frames<K, Time>::storable(Word sp) const {
  // The frame would reach across address 0.
  if (csr_.protection().exists() && sp < layout().bytes) return false;
  const Word frame = base(sp - layout().bytes);
  for (unsigned i = 0; i < layout().words; ++i) {
    if (!door_.admits(AccessKind::kUserFrameStore, word(frame, i), sizeof(std::uint32_t))) return false;
  }
  return true;
}

template <Kind K, class Time>
auto Frames<K, Time>::take_fault() -> Word {
  const Word address = state_.faults.front();
  state_.faults.erase(state_.faults.begin());
  return address;
}

/** A hart without fastirq has no frames. */
struct NoFrames {
  template <typename... Parts>
  explicit constexpr NoFrames(Parts&&...) {}
  static constexpr bool faulty() { return false; }
  static constexpr bool refused() { return false; }
  static FrameState state() { return {}; }
  static constexpr void restore(const FrameState&) {}
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_FRAMES_H
