// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What an engine refuses: harts and lines that its platform lacks, and what it cannot do.
 */
#ifndef TRAPEZE_SIM_APP_REFUSALS_H
#define TRAPEZE_SIM_APP_REFUSALS_H

#include <string>

#include "app/request.h"
#include "kernel/dynamic_engine.h"

namespace trapeze {

/** `3`, and of which hart if there are several. */
std::string line_name(const tz_engine_info& info, unsigned hart, unsigned line);

/** Throws Error if the platform has no such hart; `option` is what asks for it. */
void check_hart(const std::string& option, unsigned hart, const tz_engine_info& info);

/** Throws Error, which names the user's option, if the engine cannot run the request. */
void check_request(const Request& request, const Engine& engine);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_REFUSALS_H
