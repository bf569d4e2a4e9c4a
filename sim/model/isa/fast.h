// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * fastirq: its control register, the layout of its frames, and what a hart has to remember of them.
 *
 * Source: docs/fastirq.md. The model has no banks: an interrupt's frame is in memory at once, as the text promises to
 * every load and store.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_FAST_H
#define TRAPEZE_SIM_MODEL_ISA_FAST_H

#include <cstdint>
#include <map>
#include <trapeze/isa.hpp>
#include <vector>

#include "model/isa/params.h"

namespace trapeze::model {

/** mfastirq. */
struct FastControl {
  std::uint32_t value = 0;

  bool enabled() const { return ((value >> isa::mfastirq::kEnable) & 1U) != 0; }
  bool nests() const { return ((value >> isa::mfastirq::kNest) & 1U) != 0; }
  std::uint32_t link() const { return value & ~std::uint32_t{3}; }
};

/** ra, in a set of registers. */
constexpr std::uint32_t kRaBit = 1U << 1U;

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
  /** Those that hold anything in a fresh bank, as bits: all but ra. */
  static constexpr std::uint32_t kFresh = [] {
    std::uint32_t bits = 0;
    for (const unsigned n : kRegisters) bits |= std::uint32_t{1} << n;
    return bits & ~kRaBit;
  }();
  static constexpr unsigned kEpc = P.embedded ? isa::frame::kMepcE : isa::frame::kMepcI;
  static constexpr unsigned kCause = P.embedded ? isa::frame::kMcauseE : isa::frame::kMcauseI;
  static constexpr unsigned kWords = P.embedded ? isa::frame::kWordsE : isa::frame::kWordsI;
  static constexpr unsigned kBytes =
      P.embedded ? isa::frame::kBytesE : isa::frame::kBytesI;  ///< by which sp is lowered
};

/** A frame of which a word could not be stored: an exception is due. */
struct FrameFault {
  std::uint32_t frame = 0;
  std::uint32_t address = 0;  ///< of the first word
  bool certain = true;        ///< false: its handler has ended, so a leader may not have come to that word
  unsigned age = 0;           ///< instructions since, in a follower
};

/** What a hart remembers of frames. All but `faults` is for a follower. */
struct FrameState {
  std::vector<FrameFault> faults;  ///< oldest first
  /** The first of `faults`, as they were: the last exception may have been for one of these. */
  std::vector<FrameFault> others;
  /** Registers that hold anything since the handler was entered, and those of the contexts in frames, by address. */
  std::uint32_t unspecified = 0;
  std::map<std::uint32_t, std::uint32_t> unspecified_below;
  /** Bytes of words in memory, as lanes, that a leader may have different: frames that were left before they had been
   * stored, and registers that held anything when they were saved. */
  std::map<std::uint32_t, unsigned> unspecified_memory;
  /** Words that could not be stored. The leader's bank may still hold them. */
  std::map<std::uint32_t, std::uint32_t> unstored;
  /** The word that mtval named at the last exception of a frame, and the frame. */
  std::uint32_t named = 0;
  std::uint32_t named_frame = 0;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_FAST_H
