// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A run in which a debugger halts all harts again and again, at moments without any order, and lets them go on:
 * `--halts`. A program must not notice. Of four halts one is followed by single steps. Where harts have triggers,
 * every other halt leaves some behind that begin debug mode, at addresses and for traps without any order.
 */
#ifndef TRAPEZE_SIM_APP_HALTS_H
#define TRAPEZE_SIM_APP_HALTS_H

#include "app/request.h"
#include "kernel/session.h"

namespace trapeze {

/** Runs up to the end of the program, or to the limit of the request, and says how many halts there were. From one
 * halt's end to the next one's beginning there are `request.halts` cycles on the average, at least half of that. */
void run_with_halts(const Request& request, Engine& engine, Session& session, RunState& state);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_HALTS_H
