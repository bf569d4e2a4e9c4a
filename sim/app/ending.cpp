// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/ending.h"

#include <cstdio>
#include <utility>

#include "app/command.h"
#include "app/stop.h"
#include "kernel/error.h"

namespace trapeze {
namespace {

/** Privilege modes, places in tz_hart_state::first. */
constexpr unsigned kUser = 0, kSupervisor = 1;

}  // namespace

Ending::Ending(std::string name, std::vector<SymbolTable> symbols, bool cycles, bool sweep)
    : name_(std::move(name)),
      symbols_(std::move(symbols)),
      cycles_(cycles),
      sweep_(sweep ? " in a run of the sweep" : "") {}

std::string Ending::when(std::uint64_t cycle) const {
  return (cycles_ ? "cycle " : "instruction ") + std::to_string(cycle);
}

std::string Ending::place(const RunState& state, unsigned hart) const {
  const std::uint64_t pc = state.harts[hart].now.pc;
  const std::string symbol = symbols_[hart].describe(pc);
  return hex(pc) + (symbol.empty() ? "" : " (" + symbol + ")");
}

std::string Ending::places(const RunState& state, const char* single, const char* at) const {
  std::string text;
  for (unsigned hart = 0; hart < state.harts.size(); ++hart) {
    const HartRun& run = state.harts[hart];
    const std::string since = when(run.now.pc_since);
    if (state.harts.size() == 1) return place(state, hart) + single + since;
    text += (hart == 0 ? "hart " : ", hart ") + std::to_string(hart);
    text += run.exited ? " exited in " + when(run.exit_cycle) : at + place(state, hart) + " since " + since;
  }
  return text;
}

void Ending::exited(const RunState& state) const {
  const auto retired = static_cast<unsigned long long>(state.retired);
  const std::string whose = state.harts.size() > 1 ? " of hart " + std::to_string(state.exit_hart) : "";
  if (!cycles_) {
    std::fprintf(stderr, "trapeze-sim: exit %u%s after %llu instructions\n", state.exit_code, whose.c_str(), retired);
  } else {
    std::fprintf(stderr, "trapeze-sim: exit %u%s after %llu cycles, %llu instructions%s\n", state.exit_code,
                 whose.c_str(), static_cast<unsigned long long>(state.cycle), retired,
                 *sweep_ != '\0' ? " in all runs of the sweep" : "");
  }
}

void Ending::phases(const RunState& state) const {
  if (!cycles_ || *sweep_ != '\0') return;
  for (unsigned hart = 0; hart < state.harts.size(); ++hart) {
    const HartRun& run = state.harts[hart];
    const std::uint64_t kernel = run.now.first[kSupervisor], program = run.now.first[kUser];
    if (kernel == 0) continue;
    const std::uint64_t end = run.exited ? run.exit_cycle : state.cycle;
    std::string text =
        std::to_string(kernel) + " cycles to the kernel, " + std::to_string((program == 0 ? end : program) - kernel);
    text += program == 0 ? " in it" : " to the first program, " + std::to_string(end - program) + " from there on";
    std::fprintf(stderr, "trapeze-sim: hart %u: %s\n", hart, text.c_str());
  }
}

void Ending::reached(const RunState& state) const {
  std::fprintf(stderr, "trapeze-sim: ended by --until in %s%s\n", when(*state.spans.reached()).c_str(), sweep_);
}

void Ending::not_reached(const RunState& state) const {
  std::fprintf(stderr, "trapeze-sim: --until: came %llu times of %llu before the run ended%s\n",
               static_cast<unsigned long long>(state.spans.until_seen()),
               static_cast<unsigned long long>(state.spans.plan().until()->count), sweep_);
}

int Ending::max_cycles(const RunState& state, std::uint64_t limit) const {
  const char* const behind = state.harts.size() > 1 ? "where it is: " : "";
  std::fprintf(stderr,
               "trapeze-sim: error: %s did not exit within --max-cycles %llu%s; raise it, or see with --trace FILE.log "
               "how it came to %s%s\n",
               name_.c_str(), static_cast<unsigned long long>(limit), sweep_, behind,
               places(state, ", where it is since ", " is at ").c_str());
  return kExitMaxCycles;
}

int Ending::asleep(const RunState& state) const {
  const bool several = state.harts.size() > 1;
  std::fprintf(stderr,
               "trapeze-sim: error: %s%s%s: %s%s, with no timer set, no device at work, no console input and no --irq "
               "left that could raise an enabled one\n",
               name_.c_str(),
               several ? ": no interrupt can come that a hart waits for" : " waits for an interrupt that cannot come",
               sweep_, several ? "" : "in wfi at ", places(state, " since ", " is in wfi at ").c_str());
  return kExitAsleep;
}

int Ending::stopped(const RunState& state) const {
  std::string where;
  for (unsigned hart = 0; hart < state.harts.size(); ++hart) {
    const std::string whose = state.harts.size() > 1 ? "hart " + std::to_string(hart) + " " : "";
    where += ", " + whose + "at " + place(state, hart);
  }
  std::fprintf(stderr, "trapeze-sim: stopped by %s in %s%s%s\n", stop_signal_name(), when(state.cycle).c_str(), sweep_,
               where.c_str());
  return kExitSignal + stop_signal();
}

}  // namespace trapeze
