// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/halts.h"

#include <algorithm>
#include <cstdio>
#include <random>
#include <trapeze/isa.hpp>

#include "app/debug_module.h"
#include "app/jtag_port.h"

namespace trapeze {

using namespace debug_module;

namespace {

constexpr std::uint32_t kStep = 1U << 2;  ///< of dcsr
/** Of so many halts one is followed by so many single steps. */
constexpr std::uint64_t kEvery = 4;
constexpr unsigned kSteps = 3;

class Halts {
 public:
  Halts(Engine& engine, Session& session, RunState& state, std::uint64_t limit)
      : port_(engine, session, state), harts_(engine.harts()), session_(session), state_(state), limit_(limit) {
    port_.reset();
    port_.write(kControl, kActive);
    port_.write(kControl, kActive | kWindowed);
    port_.write(kWindow, (1U << harts_) - 1);
  }

  bool over() const { return state_.ended() || state_.cycle >= limit_; }
  void go_on(std::uint64_t cycles) { session_.advance(state_, std::min(limit_, state_.cycle + cycles)); }

  /** A halt, and its end. */
  void halt() {
    port_.write(kControl, kHaltRequest | kWindowed | kActive);
    await(kAllHalted);
    port_.write(kControl, kWindowed | kActive);
    ++halts_;
    if (halts_ % kEvery == 0) {
      set_step(true);
      for (unsigned i = 0; i < kSteps && !over(); ++i, ++steps_) {
        resume();
        await(kAllHalted);
      }
      set_step(false);
    }
    resume();
  }

  void report() const {
    std::fprintf(stderr, "trapeze-sim: %llu halts, %llu single steps\n", static_cast<unsigned long long>(halts_),
                 static_cast<unsigned long long>(steps_));
  }

 private:
  void await(std::uint32_t flag) {
    while (!over() && (port_.read(kStatus) & flag) == 0) {
    }
  }

  void resume() {
    port_.write(kControl, kResumeRequest | kWindowed | kActive);
    await(kAllResumed);
    port_.write(kControl, kWindowed | kActive);
  }

  void command(std::uint32_t what) {
    port_.write(kCommand, what);
    while (!over() && (port_.read(kAbstract) & kCommandBusy) != 0) {
    }
  }

  void set_step(bool step) {
    for (unsigned hart = 0; hart < harts_; ++hart) {
      port_.write(kControl, kActive | hart << kHartAt);
      command(kReadRegister | isa::csr::kDcsr);
      port_.write(kData0, (port_.read(kData0) & ~kStep) | (step ? kStep : 0));
      command(kWriteRegister | isa::csr::kDcsr);
    }
    port_.write(kControl, kActive | kWindowed);
  }

  JtagPort port_;
  unsigned harts_;
  Session& session_;
  RunState& state_;
  std::uint64_t limit_;
  std::uint64_t halts_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace

void run_with_halts(const Request& request, Engine& engine, Session& session, RunState& state) {
  const std::uint64_t pause = request.halts.value_or(0);
  std::mt19937_64 random(request.seed);
  Halts halts(engine, session, state, request.max_cycles);
  while (!halts.over()) {
    halts.go_on(pause / 2 + random() % std::max<std::uint64_t>(pause, 1));
    if (!halts.over()) halts.halt();
  }
  halts.report();
}

}  // namespace trapeze
