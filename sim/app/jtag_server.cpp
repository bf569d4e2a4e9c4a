// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/jtag_server.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "app/jtag_port.h"
#include "app/stop.h"
#include "gdb/connection.h"

namespace trapeze {
namespace {

/** Cycles that pass before the next look for characters: few while the debugger is busy, up to the second number while
 * it is silent. */
constexpr std::uint64_t kBusy = 16;
constexpr std::uint64_t kSilent = 1U << 14;
/** Cycles in which every hart that is neither halted nor asleep completes an instruction. */
constexpr std::uint64_t kStuck = 1024;
/** Cycles between two looks for a debugger that has gone. */
constexpr std::uint64_t kGone = 1U << 16;
/** A machine whose harts are all halted leaves the host's processor to others for so long, and hardly any of its time
 * passes. */
constexpr int kRestMilliseconds = 20;

/** Whether all harts are halted: they executed nothing in the last cycles, and none of them waits in wfi. */
bool halted(const RunState& state, std::uint64_t retired, std::uint64_t cycles) {
  const auto asleep = [](const HartRun& hart) { return hart.now.asleep != 0; };
  return cycles >= kStuck && state.retired == retired && std::none_of(state.harts.begin(), state.harts.end(), asleep);
}

/** One debugger, from its connection to its end. */
class Debugger {
 public:
  Debugger(gdb::Connection connection, JtagPort& port, Session& session, RunState& state)
      : connection_(std::move(connection)), port_(port), session_(session), state_(state) {}

  /** Up to the end of the run or of the connection. */
  void serve() {
    while (!state_.ended() && !quit_ && connection_.open()) {
      const std::string characters = connection_.receive(rest_);
      if (characters.empty()) {
        wait();
      } else {
        play(characters);
      }
    }
  }

 private:
  /** Lets the program run while the debugger is silent. */
  void wait() {
    const std::uint64_t retired = state_.retired;
    session_.advance(state_, state_.cycle + slice_);
    const bool rests = halted(state_, retired, slice_);
    rest_ = rests ? kRestMilliseconds : 0;
    slice_ = std::min(2 * slice_, rests ? kStuck : kSilent);
  }

  void play(const std::string& characters) {
    std::string answers;
    for (const char one : characters) {
      if (state_.ended()) break;
      if (one == 'Q') quit_ = true;
      if (quit_) break;
      act(one, answers);
    }
    if (!answers.empty()) connection_.send(answers);
    slice_ = kBusy;
    rest_ = 0;
  }

  /** `0` to `7`: tdi, tms and tck are its bits from the lowest up. `r` to `u`: 2 is trst, 1 the reset of the system,
   * for which this port has no pin. */
  void act(char one, std::string& answers) {
    if (one >= '0' && one <= '7') {
      const unsigned bits = static_cast<unsigned>(one - '0');
      port_.drive(((bits & 4) != 0 ? std::uint32_t{TZ_JTAG_TCK} : 0) |
                  ((bits & 2) != 0 ? std::uint32_t{TZ_JTAG_TMS} : 0) |
                  ((bits & 1) != 0 ? std::uint32_t{TZ_JTAG_TDI} : 0));
    } else if (one == 'R') {
      answers += port_.tdo() ? '1' : '0';
    } else if (one >= 'r' && one <= 'u') {
      const bool reset = (static_cast<unsigned>(one - 'r') & 2) != 0;
      port_.drive((port_.pins() & ~std::uint32_t{TZ_JTAG_RESET}) | (reset ? std::uint32_t{TZ_JTAG_RESET} : 0));
    }
  }

  gdb::Connection connection_;
  JtagPort& port_;
  Session& session_;
  RunState& state_;
  std::uint64_t slice_ = kBusy;
  int rest_ = 0;
  bool quit_ = false;
};

/** Runs on without a debugger until another one comes. Nothing: the run has ended, or is at its limit. */
std::optional<gdb::Connection> run_on(gdb::Listener& listener, Session& session, RunState& state, std::uint64_t limit) {
  int rest = 0;
  while (!state.ended() && state.cycle < limit) {
    if (auto next = listener.poll(rest)) return next;
    const std::uint64_t retired = state.retired;
    session.complete(state, std::min(limit, state.cycle + kGone));
    rest = halted(state, retired, kGone) ? kRestMilliseconds : 0;
  }
  return std::nullopt;
}

}  // namespace

void serve_jtag(const Request& request, Engine& engine, Session& session, RunState& state,
                const std::function<void()>& load) {
  gdb::Listener listener(
      request.jtag->port, [] { return stop_signal() != 0; }, "--jtag");
  std::fprintf(stderr, "trapeze-sim: waiting for openocd: openocd -c 'set PORT %u; set HARTS %u' -f %s\n",
               listener.port(), engine.harts(), request.jtag->script.c_str());
  std::optional<gdb::Connection> connection = listener.accept();
  JtagPort port(engine, session, state);
  port.halt_at_reset();
  load();
  while (true) {
    Debugger(std::move(*connection), port, session, state).serve();
    if (state.ended() || stop_signal() != 0) break;
    std::fprintf(stderr, "trapeze-sim: the debugger has gone; the run goes on, and another one may come\n");
    const std::uint64_t limit = state.cycle + std::min(request.max_cycles, kNever - state.cycle);
    std::optional<gdb::Connection> next = run_on(listener, session, state, limit);
    if (!next) break;
    connection.emplace(std::move(*next));
  }
}

}  // namespace trapeze
