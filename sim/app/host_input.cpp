// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "app/host_input.h"

#include <chrono>
#include <cstdio>

#include "app/stop.h"

namespace trapeze {
namespace {

using std::chrono::milliseconds;

/** Cycles that pass in `kPatience` at a human's pace. */
constexpr std::uint64_t kStretch = 1'000'000;
constexpr milliseconds kPatience{20};
/** A wait that is longer needs an explanation. */
constexpr milliseconds kLong{3000};

}  // namespace

std::string HostInput::poll(const RunState& state) {
  milliseconds patience{0};
  if (state.cycle - cycle_ >= kStretch) {
    const bool busy = state.retired - retired_ > kStretch / 10;
    if (pace_ == Pace::kHuman && !busy) patience = kPatience;
    cycle_ = state.cycle;
    retired_ = state.retired;
  }
  return source_.read(patience);
}

std::string HostInput::await() {
  for (milliseconds waited{0}; stop_signal() == 0 && !source_.at_end(); waited += kPatience) {
    std::string bytes = source_.read(kPatience);
    if (!bytes.empty()) return bytes;
    if (waited < kLong || said_) continue;
    said_ = true;
    std::fprintf(stderr, "trapeze-sim: every hart sleeps until the console receives something; Ctrl-C ends the run\n");
  }
  return {};
}

}  // namespace trapeze
