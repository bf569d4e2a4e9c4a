// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The note in a program that says what it was built for, and the check whether a hart of an engine fits it.
 *
 * `trapeze cc` links a note into what it builds with start-up code (fw/start/note.S): section `.note.trapeze`, owner
 * "Trapeze", type 1. Its content is one text that ends with a zero byte, words `key=value` with a space between:
 *
 *   config=duo isa=rv32imac_zba_zbb interrupts=fastirq lines=48 line_base=16 sources=64 harts=2 main_hart=0
 *
 * `interrupts` is one of TZ_IRQ_*, `line_base` the interrupt number of platform line 0, `sources` those of the CLIC, 0
 * without one. `harts`, and `main_hart` (the hart that runs main()), are there if the platform has several harts.
 * `main_hart` stands alone in a program for one hart beside others that run Linux. Unknown keys are no error. Source of
 * the note's format: System V gABI, "Note Section".
 */
#ifndef TRAPEZE_SIM_KERNEL_BUILT_FOR_H
#define TRAPEZE_SIM_KERNEL_BUILT_FOR_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kernel/engine.h"

namespace trapeze {

/** Owner and type of the note. */
constexpr std::string_view kNoteOwner = "Trapeze";
constexpr std::uint32_t kNoteType = 1;

struct BuiltFor {
  std::string config;
  std::string isa;
  std::string interrupts;
  std::uint32_t lines = 0;
  std::uint32_t line_base = 0;
  std::uint32_t sources = 0;
  std::uint32_t harts = 1;
  std::optional<std::uint32_t> main_hart;  ///< hart that runs main(); nothing: hart 0, the only one
};

/** Parses the text of a note. Throws Error if the text is damaged; the message does not name the file. */
BuiltFor parse_built_for(std::string_view text);

/** What the note asks for and a hart of an engine lacks or has otherwise, such as `no CLIC, 16 interrupt lines
 * instead of 48`. Empty: the program runs there. `harts`: number of harts of the engine. */
std::string differences(const BuiltFor& built, const tz_hart_info& hart, std::uint32_t harts);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_BUILT_FOR_H
