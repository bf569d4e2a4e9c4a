// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Reads the time of a hart from the file of a platform.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_TIMING_READER_H
#define TRAPEZE_SIM_MODEL_PLATFORM_TIMING_READER_H

#include <variant>

#include "kernel/field.h"
#include "model/platform/plan.h"

namespace trapeze::model {

/** Throws std::runtime_error, which names file and field, if a field is missing, unknown or impossible. */
std::variant<ExactTiming, TimingPlan> timing_of(const Field& field);

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_TIMING_READER_H
