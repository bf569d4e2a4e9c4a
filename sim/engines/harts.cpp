// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "engines/harts.h"

#include "timing/harts.h"

namespace trapeze {

std::unique_ptr<model::HartPort> make_platform_hart(unsigned number, const model::HartPlan& plan, model::Bus& bus) {
  return timing::make_hart(number, plan, bus);
}

}  // namespace trapeze
