// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "engines/harts.h"

#include "cosim/tile_hart.h"
#include "timing/harts.h"

namespace trapeze {

std::unique_ptr<model::HartPort> make_platform_hart(unsigned number, const model::HartPlan& plan, model::Bus& bus) {
  if (plan.timing && std::holds_alternative<model::ExactTiming>(*plan.timing)) {
    return std::make_unique<cosim::TileHart>(number, plan, bus);
  }
  return timing::make_hart(number, plan, bus);
}

}  // namespace trapeze
