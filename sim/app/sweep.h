// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Many runs of the same firmware that differ in the cycle of one edge.
 */
#ifndef TRAPEZE_SIM_APP_SWEEP_H
#define TRAPEZE_SIM_APP_SWEEP_H

#include <vector>

#include "app/request.h"
#include "kernel/dynamic_engine.h"
#include "kernel/record.h"
#include "kernel/session.h"

namespace trapeze {

/** Run the firmware once for each cycle of the range, each time from a snapshot taken a few cycles before it. `start`:
 * the state at reset. `total` gets the first run that failed, else the last one, with cycles and instructions of all;
 * `spans` what their spans took together. Throws Error: the program ends before the range does. */
SweepRecord run_sweep(const Request& request, const Reports& reports, Engine& engine, Session& session,
                      const RunState& start, RunState& total, std::vector<SpanResult>& spans);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_SWEEP_H
