// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Which of several interrupts of a CLINT platform is taken first (Privileged ISA 20211203, chapter 3.1.9; docs/core.md
 * for platform lines).
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_PRIORITY_H
#define TRAPEZE_SIM_MODEL_ISA_PRIORITY_H

#include <bit>
#include <cstdint>

#include "model/isa/params.h"

namespace trapeze::model {

/** The interrupt with the highest priority among `candidates`, bits as in mip, or -1 if there is none: platform lines,
 * highest first, then external, software, timer of machine mode, then those of S mode. */
constexpr int most_important(std::uint64_t candidates) {
  const std::uint64_t platform = candidates & ~std::uint64_t{0xffff};
  if (platform != 0) return static_cast<int>(std::bit_width(platform)) - 1;
  for (const unsigned id :
       {kExternalInterrupt, kSoftwareInterrupt, kTimerInterrupt, isa::interrupt::kSupervisorExternal,
        isa::interrupt::kSupervisorSoftware, isa::interrupt::kSupervisorTimer}) {
    if (((candidates >> id) & 1U) != 0) return static_cast<int>(id);
  }
  return -1;
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_PRIORITY_H
