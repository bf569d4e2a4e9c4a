// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/halts.h"

#include <algorithm>

namespace trapeze {
namespace {

// Registers of the debug module, and what of them is used here (Debug Specification 1.0, 3.14).
constexpr unsigned kData0 = 0x04, kControl = 0x10, kStatus = 0x11, kWindow = 0x15, kAbstract = 0x16, kCommand = 0x17;
constexpr std::uint32_t kActive = 1U << 0, kWindowed = 1U << 26, kHaltRequest = 1U << 31, kResumeRequest = 1U << 30;
constexpr unsigned kHartAt = 16;
constexpr std::uint32_t kAllHalted = 1U << 9, kAllResumed = 1U << 17;
/** Access Register: a register of 32 bits is transferred, or written. */
constexpr std::uint32_t kReadRegister = 2U << 20 | 1U << 17, kWriteRegister = kReadRegister | 1U << 16;
constexpr std::uint32_t kDcsr = 0x7b0, kStep = 1U << 2;
/** Counters and mtime go on while a hart is halted: a follower in lockstep counts them by cycles. */
constexpr std::uint32_t kStops = 1U << 10 | 1U << 9;
/** Of so many halts one is followed by so many single steps. */
constexpr std::uint64_t kEvery = 4;
constexpr unsigned kSteps = 3;

}  // namespace

Halts::Halts(std::uint64_t pause, unsigned harts, std::uint32_t seed)
    : pause_(std::max<std::uint64_t>(pause, 2)), harts_(harts), random_(std::uint64_t{seed} * 2 + 1) {
  port_.write(kControl, kActive);
  port_.write(kControl, kActive | kWindowed);
  port_.write(kWindow, (1U << harts) - 1);
}

/** xorshift64*, Marsaglia. */
std::uint64_t Halts::random() {
  random_ ^= random_ >> 12;
  random_ ^= random_ << 25;
  random_ ^= random_ >> 27;
  return (random_ * 0x2545f4914f6cdd1dULL) >> 32;
}

std::uint64_t Halts::drive(Engine& engine, std::uint64_t cycle) {
  if (port_.idle()) proceed(cycle);
  if (port_.idle()) return std::max(next_, cycle + 1);
  port_.drive(engine);
  return cycle + DmiPort::kHalf;
}

/** Something of all harts, and their status. */
void Halts::ask(std::uint32_t request) {
  port_.write(kControl, request | kWindowed | kActive);
  port_.read(kStatus);
}

/** Begins to set dcsr of all harts, unless it is set so already. */
void Halts::set_step(bool step) {
  state_ = State::kReady;
  if (set_ && step == step_) return;
  set_ = true;
  step_ = step;
  hart_ = 0;
  read_dcsr();
}

void Halts::read_dcsr() {
  port_.write(kControl, kActive | hart_ << kHartAt);
  port_.write(kCommand, kReadRegister | kDcsr);
  port_.read(kAbstract);  // takes longer than the command
  port_.read(kData0);
  state_ = State::kDcsr;
}

void Halts::write_dcsr() {
  const std::uint32_t kept = port_.value() & ~(kStops | kStep);
  port_.write(kData0, kept | (step_ ? kStep : 0));
  port_.write(kCommand, kWriteRegister | kDcsr);
  port_.read(kAbstract);
  state_ = State::kReady;
  if (++hart_ < harts_) read_dcsr();
}

/** What was asked for is done: asks for what comes next. Without anything to do until cycle `next_` it asks for
 * nothing. */
void Halts::proceed(std::uint64_t cycle) {
  switch (state_) {
    case State::kGoes:
      if (cycle < next_) return;
      ask(kHaltRequest);
      state_ = State::kHalting;
      return;
    case State::kHalting:
      if ((port_.value() & kAllHalted) == 0) {
        port_.read(kStatus);
        return;
      }
      ++halts_;
      port_.write(kControl, kWindowed | kActive);
      to_step_ = halts_ % kEvery == 0 ? kSteps : 0;
      set_step(to_step_ != 0);
      return;
    case State::kDcsr:
      write_dcsr();
      return;
    case State::kReady:
      ask(kResumeRequest);
      state_ = State::kResuming;
      return;
    case State::kResuming:
      if ((port_.value() & kAllResumed) == 0) {
        port_.read(kStatus);
        return;
      }
      port_.write(kControl, kWindowed | kActive);
      if (step_) {
        port_.read(kStatus);
        state_ = State::kStepping;
        return;
      }
      next_ = cycle + pause_ / 2 + random() % pause_;
      state_ = State::kGoes;
      return;
    case State::kStepping:
      if ((port_.value() & kAllHalted) == 0) {
        port_.read(kStatus);
        return;
      }
      ++steps_;
      --to_step_;
      set_step(to_step_ != 0);
      return;
  }
}

}  // namespace trapeze
