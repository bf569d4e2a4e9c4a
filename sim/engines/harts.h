// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What an engine with the model's platform makes its harts from. Each library has its own: harts.cpp has those of the
 * model alone, timed_harts.cpp a tile of the design among them.
 */
#ifndef TRAPEZE_SIM_ENGINES_HARTS_H
#define TRAPEZE_SIM_ENGINES_HARTS_H

#include <memory>

#include "model/platform/hart_port.h"

namespace trapeze {

/** As model::MakeHart. Throws std::invalid_argument if the library has no such hart. */
std::unique_ptr<model::HartPort> make_platform_hart(unsigned number, const model::HartPlan& plan, model::Bus& bus);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_ENGINES_HARTS_H
