// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Spans of the command line: what they need of engine and program, and what is said of one that took too long.
 */
#ifndef TRAPEZE_SIM_APP_SPANS_H
#define TRAPEZE_SIM_APP_SPANS_H

#include <memory>
#include <string>
#include <vector>

#include "app/request.h"
#include "kernel/dynamic_engine.h"
#include "kernel/programs.h"
#include "kernel/session.h"
#include "kernel/spans.h"
#include "kernel/tracks.h"

namespace trapeze {

/** The tasks of each hart, none where the request has no kernel. */
std::vector<TaskSource> task_sources(const Request& request, Engine& engine, const Programs& programs);

/** The spans of a run; null if none are asked for. Throws Error: an event that cannot happen here. */
std::shared_ptr<const SpanPlan> plan_spans(const Request& request, Engine& engine, const Programs& programs);

/** Why a span did not keep its budget; empty if each did. */
std::string span_over_budget(const RunState& state, const char* unit);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_SPANS_H
