// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a program was built for, as its note says, and whether an engine has it.
 *
 * `trapeze cc` links a note into what it builds with start-up code (fw/start/note.S): section `.note.trapeze`, owner
 * "Trapeze", type 1. Its content is one text that ends with a zero byte, words `key=value` with a space between:
 *
 *   config=duo isa=rv32imac_zba_zbb interrupts=fastirq lines=48 line_base=16 sources=64 harts=2 main_hart=0
 *
 * `interrupts` is one of TZ_IRQ_*, `line_base` the interrupt number of platform line 0, `sources` those of the CLIC, 0
 * without one. `harts` and `main_hart`, the one that runs main(), are there if the platform has several; `main_hart`
 * alone for a hart beside others that run Linux. Keys that are unknown are no error. Source of the format around it:
 * System V gABI, "Note Section".
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
  std::optional<std::uint32_t> main_hart;  ///< none: hart 0, the only one
};

/** The text of a note. Throws Error, without a name of a file, if it is damaged. */
BuiltFor parse_built_for(std::string_view text);

/** What of it a hart of an engine has not, or has otherwise: `no CLIC, 16 interrupt lines instead of 48`. Empty: it
 * runs there. `harts`: how many the engine has. */
std::string differences(const BuiltFor& built, const tz_hart_info& hart, std::uint32_t harts);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_BUILT_FOR_H
