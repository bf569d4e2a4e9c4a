// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/ending.h"

#include <cstdio>
#include <utility>

#include "app/command.h"
#include "app/stop.h"
#include "kernel/error.h"

namespace trapeze {

Ending::Ending(std::string name, SymbolTable symbols, bool cycles, bool sweep)
    : name_(std::move(name)),
      symbols_(std::move(symbols)),
      cycles_(cycles),
      sweep_(sweep ? " in a run of the sweep" : "") {}

std::string Ending::when(std::uint64_t cycle) const {
  return (cycles_ ? "cycle " : "instruction ") + std::to_string(cycle);
}

std::string Ending::place(const RunState& state) const {
  const std::uint64_t pc = state.harts.front().pc;
  const std::string symbol = symbols_.describe(pc);
  return hex(pc) + (symbol.empty() ? "" : " (" + symbol + ")");
}

void Ending::exited(const RunState& state) const {
  const auto retired = static_cast<unsigned long long>(state.retired);
  if (!cycles_) {
    std::fprintf(stderr, "trapeze-sim: exit %u after %llu instructions\n", state.exit_code, retired);
  } else {
    std::fprintf(stderr, "trapeze-sim: exit %u after %llu cycles, %llu instructions%s\n", state.exit_code,
                 static_cast<unsigned long long>(state.cycle), retired,
                 *sweep_ != '\0' ? " in all runs of the sweep" : "");
  }
}

int Ending::max_cycles(const RunState& state, std::uint64_t limit) const {
  std::fprintf(
      stderr,
      "trapeze-sim: error: '%s' did not exit within --max-cycles %llu%s; raise it, or see with --trace FILE.log "
      "how it came to %s, where it is since %s\n",
      name_.c_str(), static_cast<unsigned long long>(limit), sweep_, place(state).c_str(),
      when(state.harts.front().pc_since).c_str());
  return kExitMaxCycles;
}

int Ending::asleep(const RunState& state) const {
  std::fprintf(
      stderr,
      "trapeze-sim: error: '%s' waits for an interrupt that cannot come%s: in wfi at %s since %s, with no timer "
      "set, no device at work, no console input and no --irq left that could raise an enabled one\n",
      name_.c_str(), sweep_, place(state).c_str(), when(state.harts.front().pc_since).c_str());
  return kExitAsleep;
}

int Ending::stopped(const RunState& state) const {
  std::fprintf(stderr, "trapeze-sim: stopped by %s in %s%s, at %s\n", stop_signal_name(), when(state.cycle).c_str(),
               sweep_, place(state).c_str());
  return kExitSignal + stop_signal();
}

}  // namespace trapeze
