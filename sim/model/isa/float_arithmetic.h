// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What the computations of F and D give: the one place that calls Berkeley SoftFloat
 * (docs/decisions/018-floating-point.md).
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_FLOAT_ARITHMETIC_H
#define TRAPEZE_SIM_MODEL_ISA_FLOAT_ARITHMETIC_H

#include <cstdint>

#include "model/isa/decode.h"

namespace trapeze::model {

/** Result of a computation. */
struct Computed {
  std::uint64_t value = 0;  ///< for the register; a single one in its box
  unsigned flags = 0;       ///< raised, as fflags has them
};

/** Upper half of a register of 64 bits that holds a single number (section 12.2, NaN boxing). */
constexpr std::uint64_t kBox = 0xffffffff00000000;

constexpr std::uint64_t boxed(std::uint32_t single) {
  return kBox | single;
}

/** Compute.
 * @param op one of TZ_MODEL_FLOAT_COMPUTATIONS.
 * @param a,b,c registers rs1, rs2 and rs3 with all their bits.
 * @param rounding as in frm, 0 to 4. */
Computed compute(Operation op, std::uint64_t a, std::uint64_t b, std::uint64_t c, unsigned rounding);

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_FLOAT_ARITHMETIC_H
