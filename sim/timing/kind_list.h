// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The kinds of harts that a pipeline is compiled for, each in a file of its own (kind.cpp.in, CMakeLists.txt).
 */
#ifndef TRAPEZE_SIM_TIMING_KIND_LIST_H
#define TRAPEZE_SIM_TIMING_KIND_LIST_H

#include <memory>

#include "model/platform/kind_list.h"

namespace trapeze::timing {

/** Makes a hart of a kind, whose plan has the numbers of its pipeline. */
template <model::Kind K>
std::unique_ptr<model::HartPort> make_timed_hart(unsigned number, const model::HartPlan& plan, model::Bus& bus);

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TIMING_KIND_LIST_H
