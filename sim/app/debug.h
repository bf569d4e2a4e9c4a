// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A run under GDB's control.
 */
#ifndef TRAPEZE_SIM_APP_DEBUG_H
#define TRAPEZE_SIM_APP_DEBUG_H

#include <functional>

#include "app/request.h"
#include "kernel/session.h"

namespace trapeze {

/** Wait for GDB on the port of the request and do what it says. `load` fills memory and console input; it is called to
 * start again. Returns true if the run is to go on without GDB, also if it has ended already; false: it is given up.
 * Throws Error. */
bool debug(const Request& request, Engine& engine, Session& session, RunState& state,
           const std::function<void()>& load);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_DEBUG_H
