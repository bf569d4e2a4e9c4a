// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Parameters of a pipeline for tests.
 */
#ifndef TRAPEZE_SIM_TEST_TIMING_NUMBERS_H
#define TRAPEZE_SIM_TEST_TIMING_NUMBERS_H

#include "model/platform/timing_plan.h"

namespace trapeze::timing {

/** Numbers that tell everything apart. The data cache has 4 sets of 2 ways. */
inline model::TimingPlan numbers() {
  model::TimingPlan plan;
  plan.memory_latency = 30;
  plan.results_wait = true;
  plan.instructions = {16384, 4, 64, true, 19, 0};
  plan.data = {512, 2, 64, true, 13, 31};
  plan.load = {2, 3, 4, 5};
  plan.multiply = {4, 8, 10, 6};
  plan.divide = {5, 1, 67};
  plan.floating = {{4, 6}, {28, 57}, 4, 3};
  plan.fetch = {4, 5};
  plan.branches = {3, 1, 512, 1, 0, 0, 28, 6};
  plan.translation = {8, 4, 4, 8, 5, 4, 4, 1};
  plan.system = {3, 4, 4, 3, 2, 7, 10, 12, 0};
  return plan;
}

}  // namespace trapeze::timing

#endif  // TRAPEZE_SIM_TEST_TIMING_NUMBERS_H
