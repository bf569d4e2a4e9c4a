// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Points in the model's time. Its unit is whatever the caller counts: clock cycles beside the RTL, else instructions.
 */
#ifndef TRAPEZE_SIM_MODEL_TIME_INSTANT_H
#define TRAPEZE_SIM_MODEL_TIME_INSTANT_H

#include <cstdint>

namespace trapeze::model {

/** A point in time that never comes. */
constexpr std::uint64_t kNever = ~std::uint64_t{0};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_TIME_INSTANT_H
