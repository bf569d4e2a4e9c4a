// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "timing/harts.h"

#include <stdexcept>
#include <string>

#include "model/platform/kinds.h"
#include "timing/kind_list.h"

namespace trapeze::timing {

std::unique_ptr<model::HartPort> make_hart(unsigned number, const model::HartPlan& plan, model::Bus& bus) {
  if (!plan.timing) return model::make_hart(number, plan, bus);
  const auto refuse = [number](const std::string& why) {
    throw std::invalid_argument("hart " + std::to_string(number) + ": " + why);
  };
  if (std::holds_alternative<model::ExactTiming>(*plan.timing)) {
    refuse("its time is exact, which the model's is not: it needs its RTL");
  }
  model::require_hart(number, plan.params);
  if (plan.params.xlen != 64) refuse("modelled time is for harts of RV64");
  return plan.params.supervisor ? make_timed_hart<model::kRv64Supervisor>(number, plan, bus)
                                : make_timed_hart<model::kRv64>(number, plan, bus);
}

}  // namespace trapeze::timing
