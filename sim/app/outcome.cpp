// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/outcome.h"

#include <cstdio>
#include <optional>
#include <string>

#include "app/command.h"
#include "app/ending.h"
#include "app/refusals.h"
#include "app/spans.h"

namespace trapeze {
namespace {

/** How far the interrupt of an edge came that has no marker; nothing if the edge never came. */
std::optional<Fate> fate_of(const RunState& state, const Injection& edge) {
  const auto is_it = [&](const InterruptStamp& stamp) {
    return stamp.raised && stamp.hart == edge.hart && stamp.line == edge.line && stamp.t0 == edge.cycle;
  };
  for (const InterruptStamp& stamp : state.stamps.interrupts()) {
    if (is_it(stamp)) return stamp.fate;
  }
  for (const ArrivalResult& one : state.stamps.table().arrivals()) {
    if (one.unmarked && is_it(*one.unmarked)) return one.unmarked->fate;
  }
  return std::nullopt;
}

/** Why a run of --budget fails; empty if it does not. */
std::string over_budget(const Request& request, const tz_engine_info& info, const RunState& state) {
  if (!state.late) return {};
  const Injection& late = *state.late;
  const std::string line = "line " + line_name(info, late.hart, late.line);
  const std::string edge = line + ", raised in cycle " + std::to_string(late.cycle);
  if (state.over_budget) return edge + ": no marker within " + std::to_string(*request.budget) + " cycles";
  const std::string end = "the program ended in cycle " + std::to_string(state.cycle - 1);
  const std::optional<Fate> fate = fate_of(state, late);
  if (!fate) {
    return line + " was to rise in cycle " + std::to_string(late.cycle) + ", but " + end;
  }
  return edge + ": " + end + ", and " + to_words(*fate);
}

}  // namespace

int outcome(const Request& request, bool quiet, const Engine& engine, const Programs& programs, const RunState& state) {
  const bool cycles = engine.can(TZ_CAP_CYCLES);
  std::string names;
  for (const std::string& elf : request.programs)
    names += (names.empty() ? "'" : "', '") + elf.substr(elf.find_last_of('/') + 1);
  const Ending ending{names + "'", programs.symbols(engine.harts()), cycles, request.sweep.has_value()};
  if (state.stopped) return ending.stopped(state);
  std::string late = over_budget(request, engine.info(), state);
  if (late.empty()) late = span_over_budget(state, cycles ? "cycles" : "instructions");
  if (!late.empty()) std::fprintf(stderr, "trapeze-sim: over budget: %s\n", late.c_str());
  if (!late.empty() && (state.over_budget || state.exit_code == 0)) return kExitBudget;
  if (state.reached) {
    if (!quiet) ending.reached(state);
    return 0;
  }
  if (request.until) ending.not_reached(state);
  if (state.asleep) return ending.asleep(state);
  if (!state.exited) return ending.max_cycles(state, request.max_cycles);
  if (!quiet) ending.exited(state);
  if (!quiet) ending.phases(state);
  return request.until && state.exit_code == 0 ? kExitIncomplete : process_exit_code(state.exit_code);
}

}  // namespace trapeze
