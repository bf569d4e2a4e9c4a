// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * How far a long run is: one line on stderr that changes, on a terminal. Of a run with --stimulus it has what was
 * measured so far, and elsewhere than on a terminal there is a line now and then.
 *
 * The console of the program may be the same terminal. The line goes away before the program writes, and does not come
 * back while the program has not ended its own line.
 */
#ifndef TRAPEZE_SIM_APP_LIVE_H
#define TRAPEZE_SIM_APP_LIVE_H

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernel/session.h"

namespace trapeze {

class Live {
 public:
  /** `unit`: what the engine counts, `cycles` or `instructions`. */
  explicit Live(std::string unit);

  /** Called often; says something when it is time to. */
  void show(const RunState& state);
  /** Takes the line away, because the program writes these bytes. */
  void make_way(std::string_view console);
  /** Takes the line away at the end of the run. */
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::string unit_;
  bool terminal_;
  bool shown_ = false;
  bool line_open_ = false;  ///< the program has written a part of a line
  std::uint64_t last_cycle_ = 0;
  Clock::time_point last_;  ///< when that cycle was reached
  Clock::duration pause_;
  Clock::time_point next_;
};

/** `cycle 1000; line 3: n 20, min 4, p50 5, worst 12 in cycle 700`, a part for each stimulus. */
std::string so_far(const RunState& state);

/** `cycle 3000000, 1.2 M cycles a second`. */
std::string how_fast(std::uint64_t cycle, double per_second, const std::string& unit);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_LIVE_H
