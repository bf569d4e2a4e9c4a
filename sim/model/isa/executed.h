// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a hart has done when its loop returns.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_EXECUTED_H
#define TRAPEZE_SIM_MODEL_ISA_EXECUTED_H

#include <cstdint>

namespace trapeze::model {

/** Why execute() has returned. */
enum class Leave : std::uint8_t {
  kBudget,  ///< the budget of time is used up, or the next block takes more than is left of it
  kSync,    ///< a CSR, a device or code has changed: the caller must look at it
  kTrap,    ///< an exception was entered
  kWait,    ///< wfi
  kMarker   ///< the next instruction is a marker, or is watched
};

/** Result of execute(). */
struct Executed {
  std::uint64_t steps = 0;  ///< number of instructions, including those that trapped
  Leave leave = Leave::kBudget;
  std::uint64_t time = 0;  ///< that they took
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_EXECUTED_H
