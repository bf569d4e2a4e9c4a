// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Harts whose properties are known only when the program runs. Library: trapeze-harts.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_KINDS_H
#define TRAPEZE_SIM_MODEL_PLATFORM_KINDS_H

#include <memory>

#include "model/platform/core.h"

namespace trapeze::model {

/** A core with these properties, as hart `number` of the platform. Throws std::invalid_argument, with the reason, where
 * no such hart is compiled. */
std::unique_ptr<Core> make_core(const Params& params, unsigned number, const CorePlan& plan,
                                Reservations& reservations);

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_KINDS_H
