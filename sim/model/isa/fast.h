// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * fastirq: its control register, the layout of its frames, and what a hart has to remember of them.
 *
 * Sources: docs/fastirq.md; docs/user-level-interrupts.md for user mode's. The model has no banks: an interrupt's frame
 * is in memory at once, as the text promises to every load and store.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_FAST_H
#define TRAPEZE_SIM_MODEL_ISA_FAST_H

#include <cstdint>
#include <optional>
#include <trapeze/isa.hpp>
#include <vector>

#include "model/isa/params.h"

namespace trapeze::model {

/** mfastirq, ufastirq. */
struct FastControl {
  std::uint32_t value = 0;

  bool enabled() const { return ((value >> isa::mfastirq::kEnable) & 1U) != 0; }
  bool nests() const { return ((value >> isa::mfastirq::kNest) & 1U) != 0; }
  std::uint32_t link() const { return value & ~std::uint32_t{3}; }
};

/** The frame of a hart: registers in the order described, then mepc, then mcause. */
template <Params P>
struct FrameLayout {
  static constexpr auto kRegisters = [] {
    if constexpr (P.embedded) {
      return isa::frame::kRegistersE;
    } else {
      return isa::frame::kRegistersI;
    }
  }();
  static constexpr unsigned kEpc = P.embedded ? isa::frame::kMepcE : isa::frame::kMepcI;
  static constexpr unsigned kCause = P.embedded ? isa::frame::kMcauseE : isa::frame::kMcauseI;
  static constexpr unsigned kWords = P.embedded ? isa::frame::kWordsE : isa::frame::kWordsI;
  static constexpr unsigned kBytes =
      P.embedded ? isa::frame::kBytesE : isa::frame::kBytesI;  ///< by which sp is lowered
};

/** A word of a frame. */
struct FrameWord {
  std::uint32_t address = 0;
  std::uint32_t value = 0;
};

/** What a hart remembers of frames. */
struct FrameState {
  /** The exceptions that are due, oldest first: the first word of each frame that could not be stored. */
  std::vector<std::uint32_t> faults;
  std::optional<std::uint32_t> saved;  ///< address of the frame that the last interrupt saved, if it did
  std::vector<FrameWord> lost;         ///< its words that could not be stored
  /** Frame of a user interrupt that user mode may not store: its exception comes in the place of the interrupt. */
  std::optional<std::uint32_t> refused;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_FAST_H
