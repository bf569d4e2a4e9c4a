// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "engines/harts.h"

#include "cosim/tile_hart.h"
#include "model/platform/kinds.h"

namespace trapeze {

const EngineKind kEngineKind{"timed", TZ_CAP_CYCLES " " TZ_CAP_SNAPSHOT};

std::unique_ptr<model::HartPort> make_platform_hart(unsigned number, const model::HartPlan& plan, model::Bus& bus) {
  if (plan.params.xlen == 32) return std::make_unique<cosim::TileHart>(number, plan, bus);
  return model::make_hart(number, plan, bus);
}

}  // namespace trapeze
