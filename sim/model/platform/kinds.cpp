// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/kinds.h"

#include <stdexcept>
#include <string>

#include "model/platform/kind_list.h"

namespace trapeze::model {
namespace {

/** Why no hart has these properties; null: there may be one. */
const char* contradiction(const Params& params) {
  if (!params.valid) return "its ISA is not one that the model implements";
  if (params.xlen != 64 && params.supervisor) return "supervisor mode is of RV64 alone";
  if (params.xlen != 32 && params.clic) return "a CLIC is of RV32 alone";
  if (params.fast && !params.clic) return "fastirq needs a CLIC";
  if (params.user_interrupts && !params.clic) return "interrupts that user mode handles need a CLIC";
  if (params.uintr && !params.user_interrupts) return "uintr needs interrupts that user mode handles";
  if (params.uintr && !params.a) return "uintr needs the extension a";
  if (params.pmp != 0 && params.pmp != 4 && params.pmp != 8 && params.pmp != 16) {
    return "memory protection has 0, 4, 8 or 16 rows";
  }
  if (params.pmp_grain >= 30) return "the grain of memory protection is less than 30";
  if (params.triggers != 0 && params.xlen != 32) return "triggers are of RV32 alone";
  if (params.triggers > 8) return "a hart has 8 triggers at most";
  if (params.f && !kHasFloats) return "extension f needs SoftFloat, without which this model was built";
  return nullptr;
}

template <Kind... kKinds>
std::unique_ptr<HartPort> make_one_of(unsigned number, const HartPlan& plan, Bus& bus) {
  Kind wanted = plan.params;
  if (wanted.xlen == 64) wanted.f = kHasFloats;
  std::unique_ptr<HartPort> hart;
  static_cast<void>(((wanted == kKinds && (hart = make_hart_of<kKinds>(number, plan, bus))) || ...));
  return hart;
}

}  // namespace

void require_hart(unsigned number, const Params& params) {
  if (const char* const why = contradiction(params)) {
    throw std::invalid_argument("hart " + std::to_string(number) + ": the model has no such hart: " + why);
  }
}

std::unique_ptr<HartPort> make_hart(unsigned number, const HartPlan& plan, Bus& bus) {
  require_hart(number, plan.params);
  return make_one_of<kRv32Clint, kRv32Clic, kRv32ClicUser, kRv32Fast, kRv32FastUser, kRv64, kRv64Supervisor>(number,
                                                                                                             plan, bus);
}

}  // namespace trapeze::model
