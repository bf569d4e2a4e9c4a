// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The state that a CLIC adds to the CSRs of a hart: levels, threshold, vector table, hardware vectoring.
 *
 * Source: RISC-V Fast Interrupts v0.10, chapters smclic and smclicshv. This hart has no CLINT mode: mtvec.mode is 11.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_CSR_CLIC_H
#define TRAPEZE_SIM_MODEL_ISA_CSR_CLIC_H

#include <algorithm>
#include <bit>
#include <cstdint>
#include <trapeze/isa.hpp>

#include "model/isa/params.h"
#include "model/memory/access.h"

namespace trapeze::model {

struct ClicCsrs {
  static constexpr std::uint32_t kMode = isa::mtvec::kModeClic;                    ///< mtvec.mode
  static constexpr std::uint32_t kVectorAlignment = 64;                            ///< bytes, of mtvec; least of mtvt
  static constexpr std::uint32_t kCodeMask = (1U << isa::mcause::kCodeWidth) - 1;  ///< mcause.exccode
  static constexpr unsigned kInVector = isa::mcause::kMinhv, kMpp = isa::mcause::kMpp, kMpie = isa::mcause::kMpie,
                            kMpil = isa::mcause::kMpil, kMil = isa::mintstatus::kMil;

  /** `sources`: number of sources. mtvt is aligned to the size of their table. */
  explicit ClicCsrs(unsigned sources)
      : table_alignment(std::max(kVectorAlignment, std::bit_ceil(std::uint32_t{4} * sources))) {}

  std::uint32_t table_alignment;
  std::uint32_t table = 0;          ///< mtvt
  std::uint8_t threshold = 0;       ///< mintthresh.th
  std::uint8_t level = 0;           ///< mintstatus.mil
  std::uint8_t previous_level = 0;  ///< mcause.mpil
  bool in_vector = false;           ///< mcause.minhv

  std::uint32_t status() const { return std::uint32_t{level} << kMil; }
  void set_table(std::uint32_t value) { table = value & ~(table_alignment - 1); }
  std::uint32_t entry(unsigned id) const { return table + 4 * id; }

  /** The fields of mcause other than interrupt and code. */
  std::uint32_t cause_fields(unsigned mpp, bool mpie) const {
    return (std::uint32_t{in_vector} << kInVector) | (mpp << kMpp) | (std::uint32_t{mpie} << kMpie) |
           (std::uint32_t{previous_level} << kMpil);
  }
  /** A write of mcause: sets the fields that are kept here, and mpie; returns mpp. */
  unsigned write_cause(std::uint32_t value, bool& mpie) {
    in_vector = ((value >> kInVector) & 1U) != 0;
    mpie = ((value >> kMpie) & 1U) != 0;
    previous_level = static_cast<std::uint8_t>(value >> kMpil);
    return ((value >> kMpp) & 3U) == kMachine ? kMachine : kUser;
  }

  /** Trap entry from `mode`. The level of an interrupt is set afterwards; an exception from below runs at level 0. */
  void enter(bool interrupt, unsigned mode) {
    previous_level = level;
    in_vector = false;
    if (!interrupt && mode != kMachine) level = 0;
  }
  /** mret to `mode`. mpil and minhv stay. */
  void leave(unsigned mode) {
    level = previous_level;
    if (mode != kMachine) threshold = 0;
  }
  /** Whether an interrupt of level `offered` may preempt the program that runs in the interrupt's own mode. xIE is not
   * looked at. */
  bool exceeds(unsigned offered) const { return offered > std::max(level, threshold); }
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_CSR_CLIC_H
