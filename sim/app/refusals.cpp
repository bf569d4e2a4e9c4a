// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/refusals.h"

#include <algorithm>
#include <array>

#include "kernel/error.h"

namespace trapeze {
namespace {

/** What a request may want that not every engine can do. */
struct Need {
  bool (*wanted)(const Request&);
  const char* capability;
  const char* option;
  const char* lacks;  ///< behind "this engine": what it has not, and the remedy
};

constexpr std::array<Need, 11> kNeeds{{
    {[](const Request& r) { return r.raises(); }, TZ_CAP_CYCLES, "--irq, --stimulus, --sweep",
     "has no cycles to inject at; use the rtl engine"},
    {[](const Request& r) { return r.sweep.has_value(); }, TZ_CAP_SNAPSHOT, "--sweep",
     "has no snapshots; use the rtl engine"},
    {[](const Request& r) { return r.wait_instr != 0 || r.wait_data != 0; }, TZ_CAP_WAIT, "--wait-instr, --wait-data",
     "has no wait states; use the rtl engine"},
    {[](const Request& r) { return r.reset_seed != 0; }, TZ_CAP_RANDOM, "--reset-seed",
     "has no registers without reset; use the rtl engine"},
    {[](const Request& r) { return r.trace.kind == TraceKind::kJson; }, TZ_CAP_CYCLES, "--trace",
     "has no cycles for a timeline; use the rtl engine or FILE.log"},
    {[](const Request& r) { return r.jtag.has_value(); }, TZ_CAP_JTAG, "--jtag",
     "has no JTAG port; use the rtl engine of a configuration with debug mode (--set debug=true)"},
    {[](const Request& r) { return r.halts.has_value(); }, TZ_CAP_JTAG, "--halts",
     "has no JTAG port; use the rtl engine of a configuration with debug mode (--set debug=true)"},
    {[](const Request& r) { return r.turn != 1; }, TZ_CAP_TURNS, "--turn",
     "has harts that execute side by side, not in turn; use the model"},
    {[](const Request& r) { return !r.follow.empty(); }, TZ_CAP_CYCLES, "--engine lockstep",
     "cannot lead, it has no cycles; use the rtl engine"},
    {[](const Request& r) { return r.trace.kind == TraceKind::kWave; }, TZ_CAP_WAVE, "--trace",
     "is built without waves; use the library that ends with -wave.so"},
    {[](const Request& r) { return r.trace.kind == TraceKind::kVcd; }, TZ_CAP_WAVE_VCD, "--trace",
     "is built without VCD; use the library that ends with -vcd.so"},
}};

void check_line(const std::string& option, unsigned hart, unsigned line, const tz_engine_info& info) {
  check_hart(option, hart, info);
  if (line < info.harts[hart].num_lines) return;
  const unsigned last = info.harts[hart].num_lines - 1;
  throw Error(option + ": configuration '" + info.config + "' has no interrupt line " + line_name(info, hart, line) +
              "; use " + (last == 0 ? "0" : "0 to " + std::to_string(last)));
}

void check_cycle(const std::string& option, std::uint64_t cycle, const Request& request) {
  if (cycle < request.max_cycles) return;
  throw Error(option + ": cycle " + std::to_string(cycle) + " is not below --max-cycles " +
              std::to_string(request.max_cycles) + "; raise --max-cycles");
}

void check_edges(const Request& request, const tz_engine_info& info) {
  for (const Injection& edge : request.edges) {
    check_line("--irq", edge.hart, edge.line, info);
    check_cycle("--irq " + hart_prefix(edge.hart) + std::to_string(edge.line) + "@" + std::to_string(edge.cycle),
                edge.cycle, request);
  }
  for (auto one = request.streams.begin(); one != request.streams.end(); ++one) {
    const ArrivalSpec& stream = **one;
    const std::string option = "--stimulus '" + stream.text + "'";
    check_line(option, stream.hart, stream.line, info);
    const auto same = [&](const auto& other) { return other.hart == stream.hart && other.line == stream.line; };
    if (std::any_of(request.streams.begin(), one, [&](const auto& other) { return same(*other); }) ||
        std::any_of(request.edges.begin(), request.edges.end(), same)) {
      throw Error(option + ": something else raises line " + line_name(info, stream.hart, stream.line) +
                  ", too, and their edges could not be told apart; use another line");
    }
  }
  if (!request.sweep) return;
  check_line("--sweep", request.sweep->hart, request.sweep->line, info);
  check_cycle("--sweep", request.sweep->to, request);
}

void check_restarts(const Request& request, const Engine& engine) {
  for (const Restart& one : request.restarts) {
    check_hart("--restart", one.hart, engine.info());
    if (!engine.can(TZ_CAP_TURNS) || engine.debug() == nullptr) {
      throw Error("--restart: engine '" + std::string(engine.info().engine) +
                  "' has one reset for all harts; use the model");
    }
    if (one.hart >= request.programs.size()) {
      throw Error("--restart: hart " + std::to_string(one.hart) + " has no program of its own; give one");
    }
  }
}

}  // namespace

std::string line_name(const tz_engine_info& info, unsigned hart, unsigned line) {
  return std::to_string(line) + (info.num_harts > 1 ? " of hart " + std::to_string(hart) : "");
}

void check_hart(const std::string& option, unsigned hart, const tz_engine_info& info) {
  if (hart < info.num_harts) return;
  const std::string last = std::to_string(info.num_harts - 1);
  throw Error(option + ": configuration '" + info.config + "' has no hart " + std::to_string(hart) + "; use " +
              (last == "0" ? last : "0 to " + last));
}

void check_request(const Request& request, const Engine& engine) {
  const tz_engine_info& info = engine.info();
  if (request.config != info.config) {
    throw Error("engine '" + request.engine + "' is of configuration '" + info.config + "', not '" + request.config +
                "'; give the engine, or the platform, of that configuration");
  }
  for (const Need& need : kNeeds) {
    if (need.wanted(request) && !engine.can(need.capability)) {
      throw Error(std::string(need.option) + ": engine '" + info.engine + "' " + need.lacks);
    }
  }
  if (request.last_hart) check_hart("--last-hart", *request.last_hart, info);
  for (const Kernel& one : request.kernels) check_hart("kernels", one.hart, info);
  for (const auto& [hart, path] : request.symbols) check_hart("symbols", hart, info);
  check_restarts(request, engine);
  check_edges(request, info);
}

}  // namespace trapeze
