// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a long run has measured so far: one line on stderr that changes, on a terminal; elsewhere a line now and then.
 */
#ifndef TRAPEZE_SIM_APP_LIVE_H
#define TRAPEZE_SIM_APP_LIVE_H

#include <chrono>
#include <string>

#include "kernel/session.h"

namespace trapeze {

class Live {
 public:
  Live();

  /** Called often; says something when it is time to. */
  void show(const RunState& state);
  /** Take the line away, for others that write. */
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_;
  bool shown_ = false;
  Clock::duration pause_;
  Clock::time_point next_;
};

/** `cycle 1000; line 3: n 20, min 4, p50 5, worst 12 in cycle 700`, a part for each stimulus. */
std::string so_far(const RunState& state);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_LIVE_H
