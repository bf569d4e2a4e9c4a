// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The layout of the frames of fastirq. Source: docs/fastirq.md, from regs/isa/frame.yaml.
 */
#ifndef TRAPEZE_SIM_KERNEL_FRAME_LAYOUT_H
#define TRAPEZE_SIM_KERNEL_FRAME_LAYOUT_H

#include <span>
#include <trapeze/isa.hpp>

namespace trapeze {

/** Of an ISA string: the frames of the hart hold all registers but sp, gp and tp. */
inline constexpr const char* kWholeFrames = "xtzwhole";

/** The frame of a hart: registers in the order described, then mepc, then mcause. */
struct FrameLayout {
  static constexpr unsigned kMostWords = isa::frame::kWordsWholeI;

  std::span<const unsigned> registers;
  unsigned epc;  ///< its word
  unsigned cause;
  unsigned words;
  unsigned bytes;  ///< bytes by which sp is lowered
};

/** `embedded`: the hart has 16 registers. `whole`: its frames hold all of them but sp, gp and tp. */
constexpr FrameLayout frame_layout(bool embedded, bool whole) {
  namespace frame = isa::frame;
  if (embedded && whole) {
    return {frame::kRegistersWholeE, frame::kMepcWholeE, frame::kMcauseWholeE, frame::kWordsWholeE,
            frame::kBytesWholeE};
  }
  if (embedded) return {frame::kRegistersE, frame::kMepcE, frame::kMcauseE, frame::kWordsE, frame::kBytesE};
  if (whole) {
    return {frame::kRegistersWholeI, frame::kMepcWholeI, frame::kMcauseWholeI, frame::kWordsWholeI,
            frame::kBytesWholeI};
  }
  return {frame::kRegistersI, frame::kMepcI, frame::kMcauseI, frame::kWordsI, frame::kBytesI};
}

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_FRAME_LAYOUT_H
