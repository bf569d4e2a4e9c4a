// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * fastirq: its control registers, the layout of its frames, and what a hart has to remember of its frames.
 *
 * Sources: docs/fastirq.md; docs/user-level-interrupts.md for frames of user mode. The model has no banks: the frame of
 * an interrupt is in memory at once. docs/fastirq.md promises that loads and stores see it so.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_FAST_H
#define TRAPEZE_SIM_MODEL_ISA_FAST_H

#include <cstdint>
#include <optional>
#include <trapeze/isa.hpp>
#include <vector>

#include "kernel/frame_layout.h"
#include "model/isa/params.h"

namespace trapeze::model {

/** mfastirq, ufastirq. */
struct FastControl {
  std::uint32_t value = 0;

  bool enabled() const { return ((value >> isa::mfastirq::kEnable) & 1U) != 0; }
  bool nests() const { return ((value >> isa::mfastirq::kNest) & 1U) != 0; }
  std::uint32_t link() const { return value & ~std::uint32_t{3}; }
};

constexpr FrameLayout frame_layout(const Params& params) {
  return trapeze::frame_layout(params.embedded, params.whole_frames);
}

/** A word of a frame. */
struct FrameWord {
  std::uint32_t address = 0;
  std::uint32_t value = 0;
};

/** What a hart remembers of frames. */
struct FrameState {
  /** The exceptions that are due, oldest first. Each is the address of the first word of a frame that could not be
   * stored. */
  std::vector<std::uint32_t> faults;
  std::optional<std::uint32_t> saved;  ///< address of the frame of the last interrupt, if it has saved one
  std::vector<FrameWord> lost;         ///< words of that frame that could not be stored
  /** Address of the frame of a user interrupt that user mode may not store. Exception 24 comes in the place of that
   * interrupt. */
  std::optional<std::uint32_t> refused;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_FAST_H
