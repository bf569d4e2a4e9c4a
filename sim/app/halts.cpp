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

// dcsr
constexpr std::uint32_t kStep = 1U << 2;
constexpr unsigned kCauseAt = 6;
constexpr std::uint32_t kCauses = 7, kTriggerCause = 2;
/** Of so many halts one is followed by so many single steps; each other halt leaves triggers behind, unless one of them
 * was its cause. */
constexpr std::uint64_t kEvery = 4;
constexpr unsigned kSteps = 3;
/** Cycles from one look at harts that triggers may have halted to the next. */
constexpr std::uint64_t kLook = 300;

constexpr unsigned kStackPointer = 2;
/** A CSR that no hart has: an access is an exception in debug mode. */
constexpr std::uint32_t kAbsent = 0x7b4;
/** tdata1 of a trigger that begins debug mode, without its fields of modes: a type with dmode and action. */
constexpr std::uint32_t kAtAddress = 6U << 28 | 1U << 27 | 1U << 12;
constexpr std::uint32_t kCount = 3U << 28 | 1U << 27 | 1U, kInterrupt = 4U << 28 | 1U << 27 | 1U,
                        kException = 5U << 28 | 1U << 27 | 1U, kSignal = 7U << 28 | 1U << 27 | 1U << 6 | 1U;
constexpr unsigned kMatchAt = 7, kCountAt = 10, kSizeAt = 16;
constexpr std::uint32_t kExecute = 1U << 2, kLoadsAndStores = 3U, kChain = 1U << 11;

class Halts {
 public:
  Halts(Engine& engine, Session& session, RunState& state, const Request& request)
      : port_(engine, session, state),
        harts_(engine.harts()),
        session_(session),
        state_(state),
        limit_(request.max_cycles),
        random_(request.seed) {
    port_.reset();
    port_.write(kControl, kActive);
    port_.write(kControl, kActive | kWindowed);
    port_.write(kWindow, (1U << harts_) - 1);
  }

  bool over() const { return state_.ended() || state_.cycle >= limit_; }

  /** Lets the harts run for about so many cycles, or until a trigger halts one. */
  void go_on(std::uint64_t pause) {
    const std::uint64_t end =
        std::min(limit_, state_.cycle + pause / 2 + random_() % std::max<std::uint64_t>(pause, 1));
    if (!set_) {
      session_.advance(state_, end);
      return;
    }
    while (!over() && state_.cycle < end && (port_.read(kStatus) & kAnyHalted) == 0) {
      session_.advance(state_, std::min(end, state_.cycle + kLook));
    }
  }

  /** A halt, and its end. */
  void halt() {
    port_.write(kControl, kHaltRequest | kWindowed | kActive);
    await(kAllHalted);
    port_.write(kControl, kWindowed | kActive);
    ++halts_;
    if (halts_ == 1) triggers_ = count_triggers();
    bool fired = false;
    if (set_) {
      for (unsigned hart = 0; hart < harts_; ++hart) fired |= clear_triggers(hart);
    }
    triggered_ += fired ? 1 : 0;
    if (halts_ % kEvery == 0 || fired) {
      select(0);
      read(kAbsent);
      set_step(true);
      for (unsigned i = 0; i < kSteps && !over(); ++i, ++steps_) {
        resume();
        await(kAllHalted);
      }
      set_step(false);
    }
    set_ = triggers_ != 0 && halts_ % 2 == 1 && !fired;
    if (set_) {
      for (unsigned hart = 0; hart < harts_; ++hart) set_triggers(hart);
    }
    resume();
  }

  void report() const {
    std::fprintf(stderr, "trapeze-sim: %llu halts, %llu of them by triggers, %llu single steps\n",
                 static_cast<unsigned long long>(halts_), static_cast<unsigned long long>(triggered_),
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

  // Registers of the hart that select() has chosen. A register that does not exist reads as 0.
  void select(unsigned hart) { port_.write(kControl, kActive | hart << kHartAt); }
  void select_all() { port_.write(kControl, kActive | kWindowed); }
  void command(std::uint32_t what) {
    port_.write(kCommand, what);
    while (!over() && (port_.read(kAbstract) & kCommandBusy) != 0) {
    }
  }
  std::uint32_t read(std::uint32_t number) {
    port_.write(kData0, 0);
    command(kReadRegister | number);
    if ((port_.read(kAbstract) & kCommandError) != 0) port_.write(kAbstract, kCommandError);
    return port_.read(kData0);
  }
  void write(std::uint32_t number, std::uint32_t value) {
    port_.write(kData0, value);
    command(kWriteRegister | number);
  }

  void set_step(bool step) {
    for (unsigned hart = 0; hart < harts_; ++hart) {
      select(hart);
      write(isa::csr::kDcsr, (read(isa::csr::kDcsr) & ~kStep) | (step ? kStep : 0));
    }
    select_all();
  }

  unsigned count_triggers() {
    select(0);
    unsigned count = 0;
    if (read(isa::csr::kTinfo) != 0) {
      for (;; ++count) {
        write(isa::csr::kTselect, count);
        if (read(isa::csr::kTselect) != count) break;
      }
    }
    select_all();
    return count;
  }

  /** Looks at the triggers and at why the hart has halted, and ends them. Returns whether it is for one of them. */
  bool clear_triggers(unsigned hart) {
    select(hart);
    const bool fired = (read(isa::csr::kDcsr) >> kCauseAt & kCauses) == kTriggerCause;
    for (unsigned number = 0; number < triggers_; ++number) {
      write(isa::csr::kTselect, number);
      read(isa::csr::kTdata1);
      write(isa::csr::kTdata1, 0);
    }
    select_all();
    return fired;
  }

  /** Sets triggers of any kind: addresses are near the next instruction, or on the stack. */
  void set_triggers(unsigned hart) {
    select(hart);
    const std::uint32_t pc = read(isa::csr::kDpc), sp = read(kRegisters + kStackPointer);
    for (unsigned number = 0; number < triggers_; ++number) {
      const auto any = static_cast<std::uint32_t>(random_());
      const std::uint32_t modes = 1 + any % 3;  // machine, user
      const std::uint32_t near = any >> 8 & 0xff, match = any >> 16 & 3, size = any >> 18 & 3;
      std::uint32_t what = 0, value = any;
      switch (any >> 28) {
        case 0:
        case 1:
        case 2:
        case 3:
          what = kAtAddress | kExecute | (match & 1) << kMatchAt;
          value = pc + 2 * near - 0x80;
          break;
        case 4:
        case 5:
        case 6:
          what = kAtAddress | (1 + near % kLoadsAndStores) | (match & 1) << kMatchAt;
          value = sp + near - 0x40;
          break;
        case 7:
          what = kAtAddress | (1 + near % 7) | match << kMatchAt;
          value = (near & 1) != 0 ? pc : sp;
          break;
        case 8:
        case 9:
          what = kCount | near << kCountAt;
          break;
        case 10:
        case 11:
          what = kInterrupt;
          break;
        case 12:
          what = kException;
          break;
        case 13:
          what = kSignal;
          break;
        default:
          break;
      }
      if (what >> 28 == 6) {
        what |= (size == 0 ? near % 4 : 0) << kSizeAt | ((any >> 20 & 3) == 0 ? kChain : 0) | (modes & 1) << 6 |
                (modes >> 1) << 3;
      } else if (what != 0 && what != kSignal) {
        what |= (modes & 1) << 9 | (modes >> 1) << 6;
      }
      write(isa::csr::kTselect, number);
      write(isa::csr::kTdata2, value);
      write(isa::csr::kTdata1, what);
      read(isa::csr::kTdata1);
    }
    select_all();
  }

  JtagPort port_;
  unsigned harts_;
  Session& session_;
  RunState& state_;
  std::uint64_t limit_;
  std::mt19937_64 random_;
  unsigned triggers_ = 0;  ///< of a hart; of hart 0, which has as many as others
  bool set_ = false;       ///< some are set
  std::uint64_t halts_ = 0;
  std::uint64_t triggered_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace

void run_with_halts(const Request& request, Engine& engine, Session& session, RunState& state) {
  const std::uint64_t pause = request.halts.value_or(0);
  Halts halts(engine, session, state, request);
  while (!halts.over()) {
    halts.go_on(pause);
    if (!halts.over()) halts.halt();
  }
  halts.report();
}

}  // namespace trapeze
