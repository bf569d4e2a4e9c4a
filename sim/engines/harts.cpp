// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "engines/harts.h"

#include "model/platform/kinds.h"

namespace trapeze {

const EngineKind kEngineKind{"model", TZ_CAP_SNAPSHOT " " TZ_CAP_REGISTERS};

std::unique_ptr<model::HartPort> make_platform_hart(unsigned number, const model::HartPlan& plan, model::Bus& bus) {
  return model::make_hart(number, plan, bus);
}

}  // namespace trapeze
