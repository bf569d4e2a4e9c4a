// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The kinds of harts that are compiled, each in a file of its own (kind.cpp.in, CMakeLists.txt). For the library of the
 * kinds alone, whose sources know whether there is SoftFloat.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_KIND_LIST_H
#define TRAPEZE_SIM_MODEL_PLATFORM_KIND_LIST_H

#include <memory>

#include "model/isa/params.h"
#include "model/platform/hart_port.h"

namespace trapeze::model {

#ifdef TRAPEZE_SOFTFLOAT
constexpr bool kHasFloats = true;
#else
constexpr bool kHasFloats = false;
#endif

constexpr Kind kRv32Clint{.xlen = 32};
constexpr Kind kRv32Clic{.xlen = 32, .clic = true};
constexpr Kind kRv32ClicUser{.xlen = 32, .clic = true, .user_interrupts = true};
constexpr Kind kRv32Fast{.xlen = 32, .clic = true, .fast = true};
constexpr Kind kRv32FastUser{.xlen = 32, .clic = true, .fast = true, .user_interrupts = true};
constexpr Kind kRv64{.xlen = 64, .f = kHasFloats};
constexpr Kind kRv64Supervisor{.xlen = 64, .f = kHasFloats, .supervisor = true};

/** Makes a hart of a kind, as make_hart(). */
template <Kind K>
std::unique_ptr<HartPort> make_hart_of(unsigned number, const HartPlan& plan, Bus& bus);

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_KIND_LIST_H
