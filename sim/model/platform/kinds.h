// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The kinds of harts that the model has, each compiled once.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_KINDS_H
#define TRAPEZE_SIM_MODEL_PLATFORM_KINDS_H

#include <memory>

#include "model/platform/hart_port.h"

namespace trapeze::model {

/** Throws std::invalid_argument, which names the hart, if no hart has these properties. */
void require_hart(unsigned number, const Params& params);

/** Makes a hart of the kind that its plan asks for, as MakeHart. Throws std::invalid_argument if there is no such kind.
 */
std::unique_ptr<HartPort> make_hart(unsigned number, const HartPlan& plan, Bus& bus);

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_KINDS_H
