// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * How a run ended: what is said of it, and the exit code.
 */
#ifndef TRAPEZE_SIM_APP_OUTCOME_H
#define TRAPEZE_SIM_APP_OUTCOME_H

#include "app/request.h"
#include "kernel/dynamic_engine.h"
#include "kernel/programs.h"
#include "kernel/session.h"

namespace trapeze {

/** Says how the run ended, `quiet`: only where it ended badly. Returns the process's exit code. */
int outcome(const Request& request, bool quiet, const Engine& engine, const Programs& programs, const RunState& state);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_OUTCOME_H
