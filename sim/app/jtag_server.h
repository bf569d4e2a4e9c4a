// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * A run whose JTAG port a debugger has, by OpenOCD's protocol remote_bitbang: a character for each change of the pins.
 */
#ifndef TRAPEZE_SIM_APP_JTAG_SERVER_H
#define TRAPEZE_SIM_APP_JTAG_SERVER_H

#include <functional>

#include "app/request.h"
#include "kernel/session.h"

namespace trapeze {

/** Waits for a debugger on the port of the request, halts all harts before their first instruction, and runs up to the
 * end. `load` fills memory and console input. Time passes while the debugger is silent, too, and neither its limit nor
 * sleep ends the run while a debugger is there. One that has gone may come again. Throws Error. */
void serve_jtag(const Request& request, Engine& engine, Session& session, RunState& state,
                const std::function<void()>& load);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_JTAG_SERVER_H
