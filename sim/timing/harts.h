// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Harts with the time that their plans ask for.
 */
#ifndef TRAPEZE_SIM_TIMING_HARTS_H
#define TRAPEZE_SIM_TIMING_HARTS_H

#include <memory>

#include "model/platform/hart_port.h"

namespace trapeze::timing {

/** A hart of the model: its time is that of a pipeline if its plan says so, else the number of its instructions. Throws
 * std::invalid_argument if there is no such hart; a hart whose time is exact is none of the model's. */
std::unique_ptr<model::HartPort> make_hart(unsigned number, const model::HartPlan& plan, model::Bus& bus);

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_HARTS_H
