// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart that exist for F and D: its computations, between the registers and float_arithmetic.h.
 *
 * Source: Unprivileged ISA 20191213, chapters 11 and 12.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_FLOAT_H
#define TRAPEZE_SIM_MODEL_ISA_HART_FLOAT_H

#include "model/isa/float_arithmetic.h"
#include "model/isa/hart.h"

namespace trapeze::model {

template <Kind K, class Time>
bool Hart<K, Time>::floats_off() const {
  return csr_.floats().off();
}

template <Kind K, class Time>
std::uint64_t& Hart<K, Time>::float_target(unsigned rd) {
  csr_.floats().set_dirty();
  return f_[rd];
}

template <Kind K, class Time>
template <Operation kOp>
bool Hart<K, Time>::compute_float(const Op& op) {
  constexpr FloatUse kUse = float_use(kOp);
  FloatCsrs& csrs = csr_.floats();
  auto rounding = static_cast<unsigned>(op.imm) & kRoundingMask;
  if (csrs.off()) return false;
  if (rounding == FloatCsrs::kDynamic) {
    rounding = csrs.rounding();
    if (rounding > FloatCsrs::kLastRounding) return false;
  }
  const std::uint64_t a = kUse.rs1 ? f_[op.rs1] : x_[op.rs1];
  const auto rs3 = static_cast<unsigned>(op.imm) >> kRs3Shift;
  const Computed result = compute(kOp, a, f_[op.rs2], f_[rs3], rounding);
  csrs.raise(result.flags);
  if constexpr (kUse.rd) {
    float_target(op.rd) = result.value;
  } else {
    x_[op.rd] = result.value;
  }
  return true;
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_FLOAT_H
