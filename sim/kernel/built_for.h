// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a program was built for, as its note says, and whether an engine has it.
 *
 * `trapeze cc` links a note into what it builds with start-up code (fw/start/note.S): section `.note.trapeze`, owner
 * "Trapeze", type 1. Its content is one text that ends with a zero byte, words `key=value` with a space between:
 *
 *   config=mcu-fastirq isa=rv32imc_zba_zbb_zbs interrupts=fastirq lines=48 line_base=16 sources=64
 *
 * `interrupts` is one of TZ_IRQ_*, `line_base` the interrupt number of platform line 0, `sources` those of the CLIC, 0
 * without one. Keys that are unknown are no error. Source of the format around it: System V gABI, "Note Section".
 */
#ifndef TRAPEZE_SIM_KERNEL_BUILT_FOR_H
#define TRAPEZE_SIM_KERNEL_BUILT_FOR_H

#include <cstdint>
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
};

/** The text of a note. Throws Error, without a name of a file, if it is damaged. */
BuiltFor parse_built_for(std::string_view text);

/** What of it an engine has not, or has otherwise: `no CLIC, 16 interrupt lines instead of 48`. Empty: it runs there.
 */
std::string differences(const BuiltFor& built, const tz_hart_info& hart);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_BUILT_FOR_H
